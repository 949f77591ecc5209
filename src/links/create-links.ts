import type { Caller } from '../caller.ts'
import type { Clock } from '../clock.ts'
import type { ClaimedCode } from '../codes/code-log-line.ts'
import { ASSIGNED_CODE_LENGTH, randomCode } from '../codes/random-code.ts'
import { invalid, type Refusal } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { type RowTarget, writeRows } from '../store/engine-sql.ts'
import { transact } from '../store/transact.ts'
import { countLinks } from './count-links.ts'
import { type IdempotentRequest, type KeptAnswer, keepAnswer, keptAnswer } from './idempotency.ts'
import type { Link, LinkChanges } from './link.ts'
import { writeLinkTexts } from './link-text.ts'
import type { NewLink } from './new-link.ts'

/** Where claims are written down outside of the database: inside the commit, or behind it. */
export type CodesWrittenDown = {
  ready(): Promise<void>
  note(claims: readonly ClaimedCode[]): void
  keep(claims: readonly ClaimedCode[]): Promise<void>
}

export type CreateLinksDeps = {
  db: Db
  clock: Clock
  changes: LinkChanges
  codeLog: CodesWrittenDown
}

export type CreateLinksInput = {
  links: readonly NewLink[]
  /** What the field of the link at an index is called in a refusal. */
  fieldName(index: number, field: string): string
  /** The answer as the caller will get it; it is kept when the request can be repeated. */
  answer(links: readonly Link[]): { status: number; body: string }
  idempotent: IdempotentRequest | undefined
}

/** After so many codes that were taken the space is too full, or the generator broken. */
const DRAWS_MAX = 8

/**
 * Creates all the links or none. Gives the answer that was kept when the same request, with the same Idempotency-Key,
 * has been answered before.
 */
export async function createLinks(
  deps: CreateLinksDeps,
  caller: Caller,
  input: CreateLinksInput,
): Promise<KeptAnswer> {
  await deps.codeLog.ready()
  let claims: ClaimedCode[] = []
  const answer = await transact(deps.db, async (tx) => {
    const kept = await keptAnswer({ ...deps, db: tx }, caller, input.idempotent)
    if (kept !== undefined) return kept
    const codes = await claimCodes(tx, caller, input)
    const links = await insertLinks({ db: tx, clock: deps.clock }, caller, { ...input, codes })
    const made = input.answer(links)
    await keepAnswer({ ...deps, db: tx }, caller, { request: input.idempotent, ...made })
    const { accountId } = caller
    claims = links.map(({ id, code }) => ({ code, accountId, linkId: id }))
    deps.codeLog.note(claims)
    return { ...made, isReplayed: false }
  })
  await deps.codeLog.keep(claims)
  deps.changes.changed(claims.map(({ code }) => code))
  return answer
}

type Claimed = { code: string }

const NEW_CODES: RowTarget = {
  table: 'codes',
  columns: ['code', 'account_id'],
  texts: ['code'],
  then: 'ON CONFLICT DO NOTHING RETURNING code',
}

/** Changes nothing, but returns the row when it was the caller's already. */
const OWN_CODES: RowTarget = {
  ...NEW_CODES,
  then: `ON CONFLICT (code) DO UPDATE SET account_id = excluded.account_id
    WHERE codes.account_id = excluded.account_id RETURNING code`,
}

/** Gives nothing back of a link whose code has one already. */
const NEW_LINKS: RowTarget = {
  table: 'links',
  columns: [
    ...['account_id', 'code', 'svc_id', 'original_url', 'target_url'],
    ...['title', 'is_active', 'created_at', 'updated_at'],
  ],
  texts: ['code', 'svc_id', 'original_url', 'target_url', 'title'],
  then: 'ON CONFLICT (code) DO NOTHING RETURNING id, code',
}

/** Makes every code the caller's, for ever. A custom code may be one that the caller has owned before. */
async function claimCodes(tx: Db, caller: Caller, { links, fieldName }: CreateLinksInput): Promise<string[]> {
  const custom = links.flatMap(({ customCode }) => customCode ?? [])
  const owned = await claimCustomCodes(tx, caller, custom)
  if (owned.size < custom.length) {
    // Those that insertLinks would refuse are named as well: a caller should hear of all at once.
    const linked = await codesWithLink(tx, custom)
    const isTaken = (code: string | undefined) => code !== undefined && (!owned.has(code) || linked.has(code))
    throw takenRefusal(
      links.flatMap(({ customCode }, index) => (isTaken(customCode) ? index : [])),
      fieldName,
    )
  }
  const assigned = await claimRandomCodes(tx, caller, links.length - custom.length)
  return links.map(({ customCode }) => customCode ?? assigned.pop()!)
}

function takenRefusal(indexes: readonly number[], fieldName: CreateLinksInput['fieldName']): Refusal {
  const sentence = 'The custom code has already been taken.'
  return invalid(Object.fromEntries(indexes.map((index) => [fieldName(index, 'custom_code'), [sentence]])))
}

async function codesWithLink(tx: Db, codes: readonly string[]): Promise<Set<string>> {
  const rows = await tx.selectFrom('links').select('code').where('code', 'in', codes).execute()
  return new Set(rows.map(({ code }) => code))
}

/** In one order for everybody: two that claim the same codes would otherwise wait for each other. */
async function claimCustomCodes(tx: Db, { accountId }: Caller, codes: string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const rows = await writeRows<Claimed>(
    tx,
    OWN_CODES,
    codes.toSorted().map((code) => [code, accountId]),
  )
  return new Set(rows.map(({ code }) => code))
}

/** Codes that nobody has ever had. Taken ones are drawn again, and longer, should the short ones run out. */
async function claimRandomCodes(tx: Db, { accountId }: Caller, count: number): Promise<string[]> {
  const claimed: string[] = []
  for (let draw = 0; claimed.length < count; draw++) {
    if (draw === DRAWS_MAX) throw new Error(`No free code in ${DRAWS_MAX} draws.`)
    const length = ASSIGNED_CODE_LENGTH + Math.floor(draw / 2)
    const drawn = new Set(Array.from({ length: count - claimed.length }, () => randomCode(length)))
    const rows = await writeRows<Claimed>(
      tx,
      NEW_CODES,
      [...drawn].sort().map((code) => [code, accountId]),
    )
    // In the order in which they were drawn: sorted, the codes of one request would tell of each other.
    const free = new Set(rows.map(({ code }) => code))
    claimed.push(...[...drawn].filter((code) => free.has(code)))
  }
  return claimed
}

async function insertLinks(
  { db, clock }: { db: Db; clock: Clock },
  { accountId }: Caller,
  { links, codes, fieldName }: CreateLinksInput & { codes: string[] },
): Promise<Link[]> {
  const now = clock.nowUs()
  const made = links.map(({ originalUrl, title, isActive }, index) => ({
    id: 0,
    svcId: `svc_${Bun.randomUUIDv7()}`,
    code: codes[index]!,
    originalUrl,
    title,
    isActive,
    clickCount: 0,
    createdAtUs: now,
  }))
  const rows = made.map(({ svcId, code, originalUrl, title, isActive }, index) => {
    const { targetUrl } = links[index]!
    const target = targetUrl === originalUrl ? null : targetUrl
    return [accountId, code, svcId, originalUrl, target, title, isActive ? 1 : 0, now, now]
  })
  const inserted = await writeRows<{ id: number; code: string }>(db, NEW_LINKS, rows)
  const idOf = new Map(inserted.map(({ id, code }) => [code, id]))
  // A code of the caller's own that still has a link.
  const taken = codes.flatMap((code, index) => (idOf.has(code) ? [] : index))
  if (taken.length > 0) throw takenRefusal(taken, fieldName)
  for (const link of made) link.id = idOf.get(link.code)!
  await writeLinkTexts(
    db,
    made.map(({ id, title, originalUrl, code }) => ({ linkId: id, accountId, title, originalUrl, code })),
  )
  await countLinks(db, accountId, {
    links: made.length,
    active: made.filter(({ isActive }) => isActive).length,
  })
  return made
}
