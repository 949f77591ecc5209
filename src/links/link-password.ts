import { createHash } from 'node:crypto'
import type { AnyDb } from '../store/handles.ts'
import { lineOfText } from './field-rules.ts'
import type { LinkKey } from './link-key.ts'

/** In code points. */
const PASSWORD_LENGTH_MAX = 128
/** Links with a password in one request: each hash takes 30 ms of a core. */
const HASHES_MAX = 20

export const linkPassword = lineOfText(PASSWORD_LENGTH_MAX)
  .refine((text) => text !== '', 'The :attribute must be at least 1 character.')
  .meta({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX })

/** A password queue: so much work must not run on this thread, or all at once. */
export type PasswordHasher = { hash(password: string): Promise<string> }

type WithPassword = { password?: string | null | undefined }
/** Null removes the password, and undefined leaves it as it is. */
export type WithPasswordHash<Fields> = Fields & { password_hash?: string | null | undefined }

/** Call it before the transaction that stores the link. */
export async function hashLinkPassword<Fields extends WithPassword>(
  passwords: PasswordHasher,
  { password, ...fields }: Fields,
): Promise<WithPasswordHash<Omit<Fields, 'password'>>> {
  return { ...fields, password_hash: password == null ? password : await passwords.hash(password) }
}

/** One after the other, so that a request takes one place in the queue. */
export async function hashLinkPasswords<Fields extends WithPassword>(
  passwords: PasswordHasher,
  links: readonly Fields[],
): Promise<WithPasswordHash<Omit<Fields, 'password'>>[]> {
  const hashed = []
  for (const link of links) hashed.push(await hashLinkPassword(passwords, link))
  return hashed
}

/** The indexes of the links in a request, not validated, that have a password more than it may have. */
export function indexesOverHashesMax(links: readonly unknown[]): number[] {
  const withPassword = [...links.keys()].filter((index) => {
    const link = links[index] as WithPassword | null | undefined
    return link?.password !== undefined && link.password !== null
  })
  return withPassword.slice(HASHES_MAX)
}

export const OVER_HASHES_MAX = `At most ${HASHES_MAX} links of a request may have a password.`

/**
 * What signs the cookies of visitors who know the password. Every node has it from the store, nobody can derive it without
 * the hash's random salt, and it changes with the password.
 */
export const passwordKeyOf = (passwordHash: string): string =>
  createHash('sha256').update(`cookie of ${passwordHash}`).digest('base64url')

/** Undefined unless the key opens a link with a password. */
export function findLinkPassword(
  { db }: { db: AnyDb },
  { domainId, code }: LinkKey,
): Promise<{ linkId: number; passwordHash: string } | undefined> {
  return db
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .select(['links.id as linkId', 'password_hash as passwordHash'])
    .where('codes.code', '=', code)
    .where('codes.domain_id', '=', domainId)
    .where('password_hash', 'is not', null)
    .$narrowType<{ passwordHash: string }>()
    .executeTakeFirst()
}
