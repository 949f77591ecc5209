import { missingStrings } from '../components/fields/missing-strings.ts'
import { CircleAlert, CircleCheck, CircleDashed, type LucideIcon, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { Notice, sentenceOf } from '../components/states.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import { useNow } from '../use-now.ts'
import { unicodeHost } from './unicode-host.ts'
import { type DomainRow, useDomainChange, useDomainWatch, useHasTls } from './domain-queries.ts'
import { HostField } from './host-field.tsx'
import { withoutScheme } from '../format.ts'
import { useSignedIn } from '../use-session.ts'
import { CertificateStatus } from './domain-status.tsx'
import { CodeBlock } from '../components/copy.tsx'

/** The name first, then what to set, and whether it is there. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ host: '' })
  const host = values.host.trim()
  const [domain, setDomain] = useState<DomainRow>()
  const add = useDomainChange(() => ask('POST /domains', { input: { host } }))
  if (domain !== undefined) return <VerifyDialog domain={domain} onClose={onClose} />
  return (
    <FormDialog
      title={texts.add}
      action={texts.add}
      width="wide"
      change={add}
      missing={host === '' ? missingStrings.domain : undefined}
      onDone={({ data }) => setDomain(data)}
      onClose={onClose}
    >
      <HostField label={texts.name} hint={texts.addText} {...field('host')} />
    </FormDialog>
  )
}

function VerifyDialog({ domain, onClose }: { domain: DomainRow; onClose: () => void }) {
  const { domain: found, error, isFetching, waiting, nextMs, checkNow } = useDomainWatch(domain.host)
  return (
    <Dialog
      title={unicodeHost(domain.host)}
      width="wide"
      onClose={onClose}
      foot={
        <>
          {found?.status !== 'active' && <span className="soft domain-foot">{texts.goesOn}</span>}
          <Button icon={RefreshCw} isBusy={isFetching} onClick={checkNow}>
            {texts.check}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </>
      }
    >
      <div className="form">
        <DomainRecords domain={domain} />
        <div className="domain-wait">
          <h3>{texts.waiting}</h3>
          {waiting !== 'done' && (
            <span className="soft">
              {isFetching ? texts.looking : nextMs === null ? texts.stopped : <NextCheck atMs={nextMs} />}
            </span>
          )}
        </div>
        <div role="status">
          {error && <Notice tone="bad">{sentenceOf(error)}</Notice>}
          {found?.status === 'active' && <Notice>{texts.found}</Notice>}
          <DomainCheckList domain={found} />
        </div>
      </div>
    </Dialog>
  )
}

const SECOND_MS = 1_000

function NextCheck({ atMs }: { atMs: number }) {
  const now = useNow(SECOND_MS)
  return texts.nextCheck(Math.max(1, Math.ceil((atMs - now) / SECOND_MS)))
}

const { checks: checkTexts } = texts

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

/** `failure`: undefined before the first look. */
const toneOf = (failure: string | null | undefined): Tone =>
  failure === undefined ? 'soft' : failure === null ? 'ok' : 'warn'

/** What the last look has found, and what it should find. Undefined before the first. */
function DomainCheckList({ domain }: { domain: DomainRow | undefined }) {
  const base = useBaseHost()
  const hasTls = useHasTls()
  const { ownership, dns, addresses = [] } = domain?.checks ?? {}
  const isMissing = addresses.length === 0
  return (
    <ul className="domain-checks">
      <Check tone={toneOf(ownership)} title={checkTexts.ownership}>
        {ownership === undefined ? texts.looking : (ownership ?? checkTexts.proven)}
      </Check>
      {typeof dns === 'string' ? (
        <Check tone={toneOf(dns)} title={isMissing ? checkTexts.dnsMissing : checkTexts.dnsElsewhere}>
          {isMissing ? checkTexts.noRecord(base) : checkTexts.found(addresses.join(', '), base)}{' '}
          {checkTexts.takesTime}
        </Check>
      ) : (
        <Check tone={toneOf(dns)} title={checkTexts.dns}>
          {dns === null ? checkTexts.pointsTo(base) : texts.looking}
        </Check>
      )}
      {hasTls && (
        <Check
          tone={domain?.certificate?.status === 'valid' ? 'ok' : domain?.certificate ? 'warn' : 'soft'}
          title={texts.certificateOf}
        >
          {domain?.certificate ? <CertificateStatus domain={domain} /> : checkTexts.certificateLater}
        </Check>
      )}
    </ul>
  )
}

const useBaseHost = () => withoutScheme(useSignedIn().instance.base_url).replace(/:\d+$/, '')

/** What must be set at the DNS provider. */
export function DomainRecords({ domain: { host, verification } }: { domain: DomainRow }) {
  const base = useBaseHost()
  if (verification === null) return null
  return (
    <div className="form">
      <h3>{texts.recordsTitle}</h3>
      {host.split('.').length > 2 ? (
        <Record type="CNAME" name={host} value={base} />
      ) : (
        <p>{texts.bareDomain(base)}</p>
      )}
      <Record type="TXT" name={verification.txt_name} value={verification.value} />
      <p className="hint">{texts.file(verification.file_path)}</p>
    </div>
  )
}

const Record = ({ type, name, value }: { type: string; name: string; value: string }) => (
  <div className="record">
    <strong>{type}</strong>
    <CodeBlock label={texts.recordName(type)} text={name} />
    <CodeBlock label={texts.recordValue(type)} text={value} />
  </div>
)
