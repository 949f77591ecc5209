import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon } from 'lucide-react'
import { withoutScheme } from '../format.ts'
import { domainStrings } from './domain-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { type DomainRow, useHasTls } from './domain-queries.ts'
import { CertificateStatus } from './domain-status.tsx'

const { checks: texts } = domainStrings

type Tone = 'ok' | 'warn' | 'soft'
type CheckProps = { tone: Tone; title: string; children: React.ReactNode }

const ICONS: Record<Tone, LucideIcon> = { ok: CircleCheck, warn: CircleAlert, soft: CircleDashed }

function Check({ tone, title, children }: CheckProps) {
  const Icon = ICONS[tone]
  return (
    <li className={`domain-check is-${tone}`}>
      <Icon size={16} aria-hidden />
      <div>
        <strong>{title}</strong>
        <div className="soft">{children}</div>
      </div>
    </li>
  )
}

/** What the last look has found, and what it should find. Undefined before the first. */
export function DomainCheckList({ domain }: { domain: DomainRow | undefined }) {
  const base = withoutScheme(useSignedIn().instance.base_url).replace(/:\d+$/, '')
  const hasTls = useHasTls()
  return (
    <ul className="domain-checks">
      <Ownership domain={domain} />
      <Dns domain={domain} base={base} />
      {hasTls && (
        <Check
          tone={domain?.certificate?.status === 'valid' ? 'ok' : domain?.certificate ? 'warn' : 'soft'}
          title={domainStrings.certificateOf}
        >
          {domain?.certificate ? <CertificateStatus domain={domain} /> : texts.certificateLater}
        </Check>
      )}
    </ul>
  )
}

type FoundProps = { domain: DomainRow | undefined }

function Ownership({ domain }: FoundProps) {
  if (!domain?.checks)
    return (
      <Check tone="soft" title={texts.ownership}>
        {domainStrings.looking}
      </Check>
    )
  const { ownership } = domain.checks
  return (
    <Check tone={ownership === null ? 'ok' : 'warn'} title={texts.ownership}>
      {ownership ?? texts.proven}
    </Check>
  )
}

function Dns({ domain, base }: FoundProps & { base: string }) {
  if (!domain?.checks)
    return (
      <Check tone="soft" title={texts.dns}>
        {domainStrings.looking}
      </Check>
    )
  const { dns, addresses } = domain.checks
  if (dns === null)
    return (
      <Check tone="ok" title={texts.dns}>
        {texts.pointsTo(base)}
      </Check>
    )
  return (
    <Check tone="warn" title={addresses.length === 0 ? texts.dnsMissing : texts.dnsElsewhere}>
      {addresses.length === 0 ? texts.noRecord(base) : texts.found(addresses.join(', '), base)}{' '}
      {texts.takesTime}
    </Check>
  )
}
