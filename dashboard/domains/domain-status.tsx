import { CircleAlert, CircleCheck, Clock, Lock, type LucideIcon, Minus } from 'lucide-react'
import { calendarDay, relativeTime, timeAhead } from '../format.ts'
import { nowMs } from '../now.ts'
import { domainStrings as texts } from './domain-strings.ts'
import type { DomainRow } from './domain-queries.ts'
import { Link } from 'wouter'
import { Notice } from '../components/states.tsx'
import { unicodeHost } from './unicode-host.ts'

type Certificate = NonNullable<DomainRow['certificate']>
type StateProps = {
  tone: 'ok' | 'warn' | 'bad' | 'soft'
  icon: LucideIcon
  word: string
  detail?: string | null
}

/** An icon and words, never color alone. */
const State = ({ tone, icon: Icon, word, detail }: StateProps) => (
  <span className={`domain-state is-${tone}`}>
    <Icon size={16} aria-hidden />
    <span>
      <span className="word">{word}</span>
      {detail && <small>{detail}</small>}
    </span>
  </span>
)

const LOOKS = {
  active: { icon: CircleCheck, tone: 'ok' },
  pending: { icon: Clock, tone: 'warn' },
  failing: { icon: CircleAlert, tone: 'bad' },
} as const satisfies Record<DomainRow['status'], Pick<StateProps, 'icon' | 'tone'>>

/** Operators see less of it. */
type StatusProps = {
  domain: Pick<DomainRow, 'status' | 'checked_at' | 'failing_since'> &
    Partial<Pick<DomainRow, 'checks' | 'next_check_at'>>
}

/** Where its records lead, and what was found instead. */
export function DomainStatus({ domain }: StatusProps) {
  const { status, checks } = domain
  const isElsewhere = status !== 'active' && checks?.dns != null
  const addresses = isElsewhere ? checks.addresses.join(', ') : ''
  const details = [addresses, timesOf(domain)].filter((text) => text !== '')
  return <State {...LOOKS[status]} word={wordOf(domain)} detail={details.join(' · ')} />
}

function wordOf({ status, checks, next_check_at: next }: StatusProps['domain']): string {
  if (status === 'pending') return next != null ? texts.waitingForDns : texts.status.pending
  if (status === 'failing' && checks?.dns != null)
    return checks.addresses.length === 0 ? texts.checks.dnsNone : texts.pointsElsewhere
  return texts.status[status]
}

function timesOf({ status, checked_at: checkedAt, failing_since: since, ...domain }: StatusProps['domain']) {
  if (status === 'failing' && since !== null) return texts.since(relativeTime(since))
  if (checkedAt === null) return ''
  const checkTime = texts.checked(relativeTime(checkedAt))
  const next = domain.next_check_at ?? null
  return next !== null && Date.parse(next) > nowMs()
    ? texts.checkedAgain(checkTime, timeAhead(next))
    : checkTime
}

/** Certificates are renewed weeks earlier. */
const SOON_MS = 7 * 86_400_000

const endsSoon = ({ expires_at: end }: Certificate): boolean =>
  end !== null && Date.parse(end) - nowMs() < SOON_MS

/** What visitors of it get. */
export function CertificateStatus({ domain }: { domain: DomainRow }) {
  const { certificate, is_shared: isShared, status } = domain
  const words = texts.certificate
  if (certificate === null) {
    const isKnown = !isShared && status !== 'active'
    return <State tone="soft" icon={Minus} word={isKnown ? words.afterDns : words.unknown} />
  }
  const { status: state, expires_at: end } = certificate
  const day = end === null ? '' : calendarDay(end)
  if (state === 'expired')
    return <State tone="bad" icon={CircleAlert} word={words.expired(day)} detail={words.warned} />
  if (state !== 'valid') {
    const detail = state === 'no_answer' ? words.unreachable : words.warned
    return <State tone="bad" icon={CircleAlert} word={words[state]} detail={detail} />
  }
  return endsSoon(certificate) && end !== null ? (
    <State tone="warn" icon={Clock} word={words.expiresSoon(timeAhead(end))} detail={words.expires(day)} />
  ) : (
    <State tone="ok" icon={Lock} word={words.valid} detail={words.until(day)} />
  )
}

/** Whether the list of domains says it above: what keeps visitors from links, or what the reader can fix. */
export const isUrgent = ({ status, is_shared: isShared, link_count: links }: DomainRow): boolean =>
  links > 0 || (status !== 'pending' && !isShared)

/** A problem for visitors of a domain, and how to fix it: on the page that has the records, without a link to them. */
export function DomainNotice({ domain, hasLink = false }: { domain: DomainRow; hasLink?: boolean }) {
  const { host, status, is_shared: isShared, link_count: links, failure, certificate } = domain
  if (status !== 'active')
    return (
      <Notice tone={status === 'failing' || links > 0 ? 'bad' : 'warn'}>
        <strong>
          {status === 'failing' ? texts.failing(unicodeHost(host)) : texts.toVerify(unicodeHost(host))}
        </strong>{' '}
        {links > 0 && texts.cannotOpen(links)} {failure}{' '}
        {hasLink && !isShared && <Link href={settingsPath(host)}>{texts.showRecord}</Link>}
      </Notice>
    )
  if (certificate === null || certificate.status === 'valid') return null
  return (
    <Notice tone="bad">
      <strong>{texts.certificateBroken[certificate.status](unicodeHost(host))}</strong>{' '}
      {certificate.status === 'no_answer' ? texts.certificateMissing : texts.certificateWarned}{' '}
      {texts.certificateWay}
    </Notice>
  )
}

export const settingsPath = (host: string): string => `/domains/${host}`
