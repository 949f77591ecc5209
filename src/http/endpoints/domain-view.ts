import { z } from '@hono/zod-openapi'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import type { Caller } from '../../access/caller.ts'
import { CERTIFICATE_STATES, certificateState, storedCertificate } from '../../domains/domain-certificate.ts'
import { PROOF_PATH, txtNameOf } from '../../domains/domain-checks.ts'
import { nextLookUs, storedLook } from '../../domains/domain-looks.ts'
import { linksOfDomains } from '../../domains/links-of-domains.ts'
import {
  DOMAIN_STATUSES,
  defaultDomainOf,
  domainStatus,
  findDomain,
  isCaseIgnoredOn,
  listDomains,
  proofOf,
  type StoredDomain,
} from '../../domains/find-domains.ts'
import { type Clock, isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import type { CurrentDb, ReportDb } from '../../store/handles.ts'

const time = (example: string | null = '2026-04-20T09:30:00.123456Z') =>
  z.string().nullable().openapi({ format: 'date-time', example })
const url = () => z.string().nullable().openapi({ example: 'https://www.example.com/' })

export const domainSchema = z
  .strictObject({
    host: z.string().openapi({ example: 'go.example.com' }),
    status: z.enum(DOMAIN_STATUSES).openapi({
      description:
        'pending: not verified, so nothing redirects. failing: verified, but the last check found that it does not lead here.',
      example: 'active',
    }),
    is_default: z.boolean().openapi({ description: 'New links are on it unless they name another.' }),
    is_shared: z.boolean().openapi({
      description: 'Every workspace can use it, and only the operator can change it.',
      example: false,
    }),
    link_count: z.int().min(0).openapi({
      description: 'How many links the workspace has on it, without those in the trash.',
      example: 82,
    }),
    home_url: url(),
    not_found_url: url(),
    expired_url: url(),
    path_prefix: z.string().nullable().openapi({
      description: 'What its short URLs have before the code; null: nothing.',
      example: '/s',
    }),
    case_insensitive: z.boolean().openapi({
      description: 'Whether visitors find its links whatever case they type the codes in.',
      example: false,
    }),
    verification: z
      .strictObject({
        txt_name: z.string().openapi({ example: '_tern.go.example.com' }),
        value: z.string().openapi({ example: 'tern-verify=8fQ2mZ7xK1vB' }),
        file_path: z.string().openapi({ example: '/.well-known/tern-domain' }),
      })
      .nullable()
      .openapi({
        description:
          'What proves ownership: a TXT record of this name with this value, or a file with it at this path. null for shared domains.',
      }),
    verified_at: time(),
    checked_at: time(),
    failing_since: time(null),
    failure: z
      .string()
      .nullable()
      .openapi({ description: 'What the last check has missed, in words.', example: null }),
    checks: z
      .strictObject({
        ownership: z.string().nullable().openapi({
          description: 'Why neither the TXT record nor the file proves ownership; null: it is proven.',
          example: null,
        }),
        dns: z.string().nullable().openapi({
          description: 'Why the domain does not lead to this server; null: it does.',
          example: 'go.example.com leads to 198.51.100.7, not to s.example (203.0.113.9).',
        }),
        addresses: z
          .array(z.string())
          .openapi({ description: 'The IP addresses of the domain.', example: ['198.51.100.7'] }),
      })
      .nullable()
      .openapi({ description: 'What the last check has found. null before the first.' }),
    next_check_at: time('2026-04-20T09:40:00.123456Z').openapi({
      description:
        'When a domain that is not verified is checked again. null once it is verified, and after three days.',
    }),
    certificate: z
      .strictObject({
        status: z.enum(CERTIFICATE_STATES).openapi({
          description:
            'What visitors get. wrong_host: a certificate for other hosts. self_signed and untrusted: browsers warn of it. incomplete_chain: many clients refuse it, because the server does not send the intermediate certificate. no_answer: nothing answers with TLS.',
        }),
        expires_at: time('2026-07-19T09:30:00.000000Z').openapi({
          description: 'null if there was no answer.',
        }),
      })
      .nullable()
      .openapi({
        description:
          'The certificate that the last check found. null before the domain leads to a public IP address, if the server uses no TLS, and for shared domains.',
      }),
    created_at: time(),
  })
  .openapi('Domain')

export type DomainView = z.infer<typeof domainSchema>

type ViewDeps = {
  db: CurrentDb
  /** Counts links. */
  reportDb: ReportDb
  baseUrl: string
  clock: Pick<Clock, 'nowUs'>
}

/** The domain of the server is first. */
export async function listDomainViews(deps: ViewDeps, caller: Caller): Promise<DomainView[]> {
  const domains = await listDomains(deps, caller)
  const counts = await linksOfDomains(deps.reportDb, caller.workspaceId)
  const others = domains.map((domain) => domainView({ ...deps, counts }, domain, caller))
  const isDefault = !others.some((domain) => domain.is_default && isServed(domain))
  return [await baseView({ ...deps, counts }, isDefault), ...others]
}

export async function findDomainView(deps: ViewDeps, caller: Caller, host: string): Promise<DomainView> {
  const { workspaceId } = caller
  const withCounts = async () => ({ ...deps, counts: await linksOfDomains(deps.reportDb, workspaceId) })
  if (host === new URL(deps.baseUrl).hostname)
    return baseView(await withCounts(), (await defaultDomainOf(deps.db, workspaceId)) === null)
  const domain = await findDomain(deps, caller, host)
  return domainView(await withCounts(), domain, caller)
}

const isServed = ({ status }: DomainView): boolean => status === 'active' || status === 'failing'

type CountedDeps = ViewDeps & { counts: ReadonlyMap<number, number> }

async function baseView({ db, baseUrl, counts }: CountedDeps, isDefault: boolean): Promise<DomainView> {
  const nothing = { verification: null, verified_at: null, checked_at: null, failing_since: null }
  const pages = { home_url: null, not_found_url: null, expired_url: null }
  const { hostname: host, pathname } = new URL(baseUrl)
  return {
    host,
    status: 'active',
    is_default: isDefault,
    is_shared: true,
    link_count: counts.get(DEFAULT_DOMAIN) ?? 0,
    ...pages,
    path_prefix: pathname === '/' ? null : pathname,
    case_insensitive: await isCaseIgnoredOn(db, DEFAULT_DOMAIN),
    ...nothing,
    failure: null,
    checks: null,
    next_check_at: null,
    certificate: null,
    created_at: null,
  }
}

/** The token is for those who may verify the domain. */
function domainView(deps: CountedDeps, domain: StoredDomain, caller: Caller): DomainView {
  const { name, verification_token: token, is_shared: isShared } = domain
  const canVerify = isShared === 0 && token !== null && caller.can('domains:write')
  return {
    host: name,
    status: domainStatus(domain),
    is_default: domain.isDefault,
    is_shared: isShared === 1,
    link_count: deps.counts.get(domain.id) ?? 0,
    home_url: domain.home_url,
    not_found_url: domain.not_found_url,
    expired_url: domain.expired_url,
    path_prefix: domain.path_prefix || null,
    case_insensitive: domain.case_insensitive === 1,
    verification: canVerify
      ? { txt_name: txtNameOf(name), value: proofOf(token), file_path: PROOF_PATH }
      : null,
    verified_at: isoOrNull(domain.verified_at),
    checked_at: isoOrNull(domain.checked_at),
    failing_since: isoOrNull(domain.failing_since),
    failure: domain.failure,
    checks: storedLook(domain),
    next_check_at: isoOrNull(nextLookUs(domain, deps.clock.nowUs())),
    certificate: certificateView(deps, domain),
    created_at: isoMicroseconds(domain.created_at),
  }
}

/** What was found before BASE_URL was changed to http, or the domain went to another workspace, says nothing to visitors. */
function certificateView({ baseUrl, clock }: ViewDeps, domain: StoredDomain): DomainView['certificate'] {
  const certificate = storedCertificate(domain)
  const isShown = domain.is_shared === 0 && domain.host !== null && baseUrl.startsWith('https:')
  if (certificate === null || !isShown) return null
  return { status: certificateState(certificate, clock.nowUs()), expires_at: isoOrNull(certificate.endsUs) }
}
