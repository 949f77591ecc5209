import { randomInt } from 'node:crypto'
import type { CurrentDb, DurableDb, Tx } from '../../store/handles.ts'
import { hashSecret } from '../tokens/secret-text.ts'

const CODES = 10
/** 24 characters of 32 are 120 bits, enough for a fast hash (ASVS 6.5.2: 112). */
const GROUPS = 6
const GROUP_CHARS = 4
/** Without I, L, O and U, which are misread (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Replaces all codes. The new ones are returned only here. */
export async function makeRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await dropRecoveryCodes(tx, userId)
  const codes = Array.from({ length: CODES }, newCode)
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes
}

/** False if the user has no such code, or it was used before. */
export async function consumeRecoveryCode(
  db: DurableDb | Tx,
  userId: number,
  code: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(userId, code))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function dropRecoveryCodes(db: DurableDb | Tx, userId: number): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

export async function countRecoveryCodes(db: CurrentDb, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return left
}

const newCode = () => Array.from({ length: GROUPS }, newGroup).join('-')
const newGroup = () =>
  Array.from({ length: GROUP_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Ignores hyphens, spaces and case. */
const hashOf = (userId: number, code: string) =>
  hashSecret(`${userId}:${code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')}`)
