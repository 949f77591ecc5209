import { randomInt } from 'node:crypto'
import type { Db } from '../store/open-store.ts'
import { hashSecret, readSecret } from './secret-text.ts'

const CODES = 10
/** 24 characters of 32 are 120 bits: enough for a quick hash (ASVS 6.5.2 wants 112). */
const GROUPS = 6
const GROUP_CHARS = 4
/** Without I, L, O and U, which are misread (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** New codes in place of all before; they are given back here and never again. */
export async function makeRecoveryCodes(tx: Db, accountId: number): Promise<string[]> {
  await dropRecoveryCodes(tx, accountId)
  const codes = Array.from({ length: CODES }, newCode)
  const rows = codes.map((code) => ({ account_id: accountId, code_hash: hashOf(accountId, code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes
}

/** Uses a code up; false when it is none of the account's, or was used before. */
export async function takeRecoveryCode(db: Db, accountId: number, code: unknown): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hashOf(accountId, readSecret(code)))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function dropRecoveryCodes(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
}

/** How many are left. */
export async function countRecoveryCodes(db: Db, accountId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return left
}

const newCode = () => Array.from({ length: GROUPS }, newGroup).join('-')
const newGroup = () =>
  Array.from({ length: GROUP_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** However it was typed: hyphens, blanks and case mean nothing. */
const hashOf = (accountId: number, code: string) =>
  hashSecret(`${accountId}:${code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')}`)
