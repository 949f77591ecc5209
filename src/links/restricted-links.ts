import { isWeb } from './destinations/parse-url.ts'
import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { type KeyRestrictions, limitsLinks } from '../access/key-restrictions.ts'
import { randomCode } from '../codes/random-code.ts'
import { type FieldErrors, invalid, Refusal } from '../errors/refusal.ts'
import { dayOf, DAY_US } from '../runtime/clock.ts'
import type { Tx } from '../store/handles.ts'
import { hostnameOf } from './domains/domain-hosts.ts'
import { BULK_LINKS_MAX, REFUSED_OF_PUBLISHED_KEYS } from './link-fields.ts'
import type { WantedLink } from './reuse-links.ts'

type NewLinks = { links: readonly WantedLink[]; fieldName(index: number, field: string): string }

type SentLinks = { sent: unknown; fieldName(index: number, field: string): string }

/**
 * Refuses what the key may not send. `sent`: the links as they were sent, before anything is made of them. A field that is null is
 * not set.
 */
export function refuseFieldsOfRestricted({ restrictions }: Caller, { sent, fieldName }: SentLinks): void {
  if (restrictions === undefined || !limitsLinks(restrictions)) return
  // A list that is too long is refused as a whole.
  if (!Array.isArray(sent) || sent.length > BULK_LINKS_MAX) return
  const errors: FieldErrors = {}
  for (const [index, link] of sent.entries())
    for (const field of REFUSED_OF_PUBLISHED_KEYS)
      if ((link as Record<string, unknown> | null)?.[field] != null)
        errors[fieldName(index, field)] = [MAY_NOT_SET]
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

const MAY_NOT_SET = 'This API key may not set this field.'

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
  const faults: [string, string][] = []
  if (domain !== undefined && link.domain && hostnameOf(link.domain) !== domain)
    faults.push(['domain', `This API key creates links on ${domain} only.`])
  if (prefix !== undefined && link.custom_code?.startsWith(prefix) === false)
    faults.push(['custom_code', `This API key creates codes that begin with ${prefix} only.`])
  if (hosts !== undefined && !isWithinOneOf(hosts, link))
    faults.push(['original_url', `This API key creates links to ${hosts.join(', ')} only.`])
  return faults
}

function isWithinOneOf(hosts: readonly string[], { original_url: { text, href } }: WantedLink): boolean {
  const url = new URL(href ?? text)
  return isWeb(url) && hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
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
  throw new Refusal(
    'daily_limit_reached',
    `This API key may create ${max} links a day (UTC), and has used them up.`,
    {
      retryAfterSeconds: Math.ceil((DAY_US - (nowUs % DAY_US)) / 1_000_000),
    },
  )
}
