import { Link } from 'wouter'
import { Notice } from '../components/states.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import { unicodeHost } from './unicode-host.ts'
import type { DomainRow } from './domain-queries.ts'

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
