import { describe, expect, test } from 'bun:test'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { nowMs } from '../now.ts'
import type { DomainRow } from './domain-queries.ts'
import { CertificateStatus, DomainStatus } from './domain-status.tsx'

const DAY_MS = 86_400_000
const inDays = (days: number): string => new Date(nowMs() + days * DAY_MS).toISOString()

describe('the records of a domain', () => {
  const NO_TXT = 'There is no TXT record.'
  const failing = { status: 'failing', failing_since: inDays(-8) } as const
  test.each<[words: RegExp, domain: Partial<DomainRow>]>([
    [/^Points here/, {}],
    [
      /^Waiting for DNSchecked .*, again in /,
      {
        status: 'pending',
        checks: { ownership: NO_TXT, dns: null, addresses: [] },
        next_check_at: inDays(0.006),
      },
    ],
    [/^Not verified/, { status: 'pending' }],
    [
      /^Points elsewhere198\.51\.100\.7 · since /,
      { ...failing, checks: { ownership: null, dns: 'It leads elsewhere.', addresses: ['198.51.100.7'] } },
    ],
    [
      /^No public addresssince /,
      { ...failing, checks: { ownership: null, dns: 'It leads nowhere.', addresses: [] } },
    ],
  ])('say %p', (words, domain) => expect(textOf(DomainStatus, domain)).toMatch(words))
})

describe('the certificate of a domain', () => {
  const certified = (status: NonNullable<DomainRow['certificate']>['status'], days?: number) => ({
    certificate: { status, expires_at: days === undefined ? null : inDays(days) },
  })
  test.each<[words: RegExp, domain: Partial<DomainRow>]>([
    [/^Validuntil .*\d/, {}],
    [/^Expires in 6 dayson .*\d/, certified('valid', 6.1)],
    [/^Expired .*\d.*visitors see a warning$/, certified('expired', -14)],
    [/^Wrong hostvisitors see a warning$/, certified('wrong_host', 40)],
    [/^Self-signedvisitors see a warning$/, certified('self_signed', 300)],
    [/^Incomplete.*visitors see a warning$/, certified('incomplete_chain', 60)],
    [/^Not trustedvisitors see a warning$/, certified('untrusted', 300)],
    [/^No answervisitors cannot connect$/, certified('no_answer')],
    [/^After DNS$/, { status: 'pending', certificate: null }],
    [/^Not checked$/, { is_shared: true, certificate: null }],
  ])('is %p', (words, domain) => expect(textOf(CertificateStatus, domain)).toMatch(words))
})

const ACTIVE: DomainRow = {
  host: 'go.northlight.example',
  status: 'active',
  is_default: false,
  is_shared: false,
  link_count: 82,
  home_url: null,
  not_found_url: null,
  expired_url: null,
  path_prefix: null,
  case_insensitive: false,
  verification: null,
  verified_at: inDays(-90),
  checked_at: inDays(-0.1),
  created_at: inDays(-91),
  checks: { ownership: null, dns: null, addresses: ['203.0.113.5'] },
  next_check_at: null,
  failing_since: null,
  failure: null,
  certificate: { status: 'valid', expires_at: inDays(72.5) },
}

/** The words, without their icons. */
const textOf = (status: FunctionComponent<{ domain: DomainRow }>, domain: Partial<DomainRow>): string =>
  renderToStaticMarkup(createElement(status, { domain: { ...ACTIVE, ...domain } })).replaceAll(/<[^>]+>/g, '')
