import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { type KeyRestrictions, limitsLinks } from '../access/key-restrictions.ts'
import { randomCode } from '../codes/random-code.ts'
import { type FieldErrors, invalid, Refusal } from '../errors/refusal.ts'
import { dayOf, DAY_US } from '../runtime/clock.ts'
import type { Tx } from '../store/handles.ts'
import { hostnameOf } from './domains/domain-hosts.ts'
import type { WantedLink } from './reuse-links.ts'

type NewLinks = { links: readonly WantedLink[]; fieldName(index: number, field: string): string }

/** Each can lead elsewhere, says what the link is not, or is for the members only, who see it in their lists. */
const REFUSED_FIELDS = [
  ...(['rules', 'fallback_url', 'social_title', 'social_description', 'social_image_url'] as const),
  ...(['password', 'external_id', 'reuse_existing', 'folder', 'notes'] as const),
]

/**
 * The new links of a key as its restrictions make them: on its domain, with its prefix. Throws for what it may not create.
 * Everybody may know such a key, so it never returns a link that was there before.
 */
export function asRestricted({ restrictions }: Caller, { links, fieldName }: NewLinks): WantedLink[] {
  if (restrictions === undefined || !limitsLinks(restrictions)) return [...links]
  const errors: FieldErrors = {}
  for (const [index, link] of links.entries())
    for (const [field, sentence] of faultsOf(restrictions, link)) errors[fieldName(index, field)] = [sentence]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return links.map((link) => {
    const { domain = link.domain, code_prefix: prefix } = restrictions
    const custom_code = link.custom_code ?? (prefix === undefined ? undefined : prefix + randomCode())
    return { ...link, domain, custom_code }
  })
}

function faultsOf(restrictions: KeyRestrictions, link: WantedLink): [field: string, sentence: string][] {
  const { domain, code_prefix: prefix, destination_hosts: hosts } = restrictions
  const faults: [string, string][] = REFUSED_FIELDS.filter((field) =>
    isSet(link[field as keyof WantedLink]),
  ).map((field) => [field, 'This API key may not set this field.'])
  for (const field of ['aliases', 'tags'] as const)
    if (link[field].length > 0) faults.push([field, 'This API key may not set this field.'])
  if (domain !== undefined && isSet(link.domain) && hostnameOf(link.domain!) !== domain)
    faults.push(['domain', `This API key creates links on ${domain} only.`])
  if (prefix !== undefined && link.custom_code?.startsWith(prefix) === false)
    faults.push(['custom_code', `This API key creates codes that begin with ${prefix} only.`])
  if (hosts !== undefined && !hosts.some((host) => isWithin(host, link)))
    faults.push(['original_url', `This API key creates links to ${hosts.join(', ')} only.`])
  return faults
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && value !== ''

function isWithin(host: string, { original_url: { text, href } }: WantedLink): boolean {
  const { hostname } = new URL(href ?? text)
  return hostname === host || hostname.endsWith(`.${host}`)
}

/** Counts new links of a key against its day, in the transaction that stores them. Throws if they are too many. */
export async function spendDailyLinks(
  tx: Tx,
  { keyId, restrictions }: Caller,
  { count, nowUs }: { count: number; nowUs: number },
): Promise<void> {
  const max = restrictions?.links_per_day
  if (keyId === undefined || max === undefined || count === 0) return
  const day = dayOf(nowUs)
  const before = sql<number>`CASE WHEN links_day = ${day} THEN links_of_day ELSE 0 END`
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ links_of_day: sql`${before} + ${count}`, links_day: day })
    .where('id', '=', keyId)
    .where(sql<boolean>`${before} + ${count} <= ${max}`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  throw new Refusal('too-many', `This API key may create ${max} links a day (UTC), and has used them up.`, {
    retryAfterSeconds: Math.ceil((DAY_US - (nowUs % DAY_US)) / 1_000_000),
  })
}
