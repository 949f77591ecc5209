import type { Caller } from '../caller.ts'
import type { Clock } from '../clock.ts'
import type { CodeLog } from '../codes/code-log.ts'
import { ASSIGNED_CODE_LENGTH, randomCode } from '../codes/random-code.ts'
import { invalid, type Refusal } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { countLinks } from './count-links.ts'
import { type IdempotentRequest, type KeptAnswer, keepAnswer, keptAnswer } from './idempotency.ts'
import type { Link, LinkChanges } from './link.ts'
import { writeLinkTexts } from './link-text.ts'
import type { NewLink } from './new-link.ts'

export type CreateLinksDeps = {
  db: Db
  clock: Clock
  changes: LinkChanges
  codeLog: Pick<CodeLog, 'ready' | 'note'>
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
  let codes: string[] = []
  const answer = await deps.db.transaction().execute(async (tx) => {
    const kept = await keptAnswer({ ...deps, db: tx }, caller, input.idempotent)
    if (kept !== undefined) return kept
    codes = await claimCodes(tx, caller, input)
    const links = await insertLinks({ db: tx, clock: deps.clock }, caller, { ...input, codes })
    const made = input.answer(links)
    await keepAnswer({ ...deps, db: tx }, caller, { request: input.idempotent, ...made })
    const { accountId } = caller
    deps.codeLog.note(links.map(({ id, code }) => ({ code, accountId, linkId: id })))
    return { ...made, isReplayed: false }
  })
  deps.changes.changed(codes)
  return answer
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

async function claimCustomCodes(tx: Db, { accountId }: Caller, codes: string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const rows = await tx
    .insertInto('codes')
    .values(codes.map((code) => ({ code, account_id: accountId })))
    // Changes nothing, but returns the row when it was the caller's already.
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet({ account_id: accountId })
        .where('codes.account_id', '=', accountId),
    )
    .returning('code')
    .execute()
  return new Set(rows.map(({ code }) => code))
}

/** Codes that nobody has ever had. Taken ones are drawn again, and longer, should the short ones run out. */
async function claimRandomCodes(tx: Db, { accountId }: Caller, count: number): Promise<string[]> {
  const claimed: string[] = []
  for (let draw = 0; claimed.length < count; draw++) {
    if (draw === DRAWS_MAX) throw new Error(`No free code in ${DRAWS_MAX} draws.`)
    const length = ASSIGNED_CODE_LENGTH + Math.floor(draw / 2)
    const drawn = new Set(Array.from({ length: count - claimed.length }, () => randomCode(length)))
    const rows = await tx
      .insertInto('codes')
      .values([...drawn].map((code) => ({ code, account_id: accountId })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('code')
      .execute()
    claimed.push(...rows.map(({ code }) => code))
  }
  return claimed
}

async function insertLinks(
  { db, clock }: { db: Db; clock: Clock },
  { accountId }: Caller,
  { links, codes, fieldName }: CreateLinksInput & { codes: string[] },
): Promise<Link[]> {
  const now = clock.nowUs()
  const rows = links.map(({ originalUrl, targetUrl, title, isActive }, index) => ({
    account_id: accountId,
    code: codes[index]!,
    svc_id: `svc_${Bun.randomUUIDv7()}`,
    original_url: originalUrl,
    target_url: targetUrl === originalUrl ? null : targetUrl,
    title,
    is_active: isActive ? 1 : 0,
    created_at: now,
    updated_at: now,
  }))
  const inserted = await db
    .insertInto('links')
    .values(rows)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning(['id', 'code'])
    .execute()
  const idOf = new Map(inserted.map(({ id, code }) => [code, id]))
  // A code of the caller's own that still has a link.
  const taken = rows.flatMap(({ code }, index) => (idOf.has(code) ? [] : index))
  if (taken.length > 0) throw takenRefusal(taken, fieldName)
  const made = rows.map((row, index) => ({
    id: idOf.get(row.code)!,
    svcId: row.svc_id,
    code: row.code,
    originalUrl: row.original_url,
    title: row.title,
    isActive: links[index]!.isActive,
    clickCount: 0,
    createdAtUs: now,
  }))
  await writeLinkTexts(
    db,
    made.map(({ id, title, originalUrl }) => ({ linkId: id, accountId, title, originalUrl })),
  )
  await countLinks(db, accountId, {
    links: made.length,
    active: made.filter(({ isActive }) => isActive).length,
  })
  return made
}
