import { Link } from 'wouter'
import { Notice } from '../components/states.tsx'
import { domainStrings as texts } from '../strings/domain-strings.ts'
import type { DomainRow } from './domain-queries.ts'

/** A problem for visitors of a domain, and how to fix it: on the page that has the records, without a link to them. */
export function DomainNotice({ domain, hasLink = false }: { domain: DomainRow; hasLink?: boolean }) {
  const { host, status, is_shared: isShared, link_count: links, failure, certificate } = domain
  if (status !== 'active')
    return (
      <Notice tone={status === 'failing' || links > 0 ? 'bad' : 'warn'}>
        <strong>{status === 'failing' ? texts.failing(host) : texts.toVerify(host)}</strong>{' '}
        {texts.cannotOpen(links)} {failure}{' '}
        {hasLink && !isShared && <Link href={settingsPath(host)}>{texts.showRecord}</Link>}
      </Notice>
    )
  if (certificate === null || certificate.status === 'valid') return null
  return (
    <Notice tone="bad">
      <strong>{texts.certificateBroken[certificate.status](host)}</strong>{' '}
      {certificate.status === 'no_answer' ? texts.certificateMissing : texts.certificateWarned}{' '}
      {texts.certificateWay}
    </Notice>
  )
}

export const settingsPath = (host: string): string => `/domains/${host}`
