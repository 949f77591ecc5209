import { createHash } from 'node:crypto'
import type { AnyDb } from '../store/handles.ts'
import { lineOfText } from '../validation/field-rules.ts'
import type { LinkKey } from './link-key.ts'

/** In code points. */
const PASSWORD_LENGTH_MAX = 128
/** Links with a password in one request: each hash takes 30 ms of a core. */
const HASHES_MAX = 20

export const linkPassword = lineOfText(PASSWORD_LENGTH_MAX)
  .refine((text) => text !== '', 'The :attribute must be at least 1 character.')
  .meta({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX })

/** A password queue: so much work must not run on this thread, or all at once. */
export type LinkPasswordHasher = {
  hashOfLinks(workspaceId: number, passwords: readonly string[], signal?: AbortSignal): Promise<string[]>
}

type WithPassword = { password?: string | null | undefined }
/** Null removes the password, and undefined leaves it as it is. */
export type WithPasswordHash<Fields> = Fields & { password_hash?: string | null | undefined }

export const hasPassword = ({ password }: WithPassword): boolean => password != null

/** For a dry run, whose hashes nobody reads. */
export const withoutHashing = <Fields extends WithPassword>(link: WithPasswordHash<Fields>) =>
  withHash(link, () => '')

/** A hash that a link has already stays. */
const withHash = <Fields extends WithPassword>(
  { password, password_hash: kept, ...fields }: WithPasswordHash<Fields>,
  hash: () => string,
) => ({ ...fields, password_hash: password == null ? (kept ?? password) : hash() })

type Hashing = { workspaceId: number; signal?: AbortSignal | undefined }

/** Call it after all checks, before the transaction that stores the links. */
export async function hashLinkPasswords<Fields extends WithPassword>(
  passwords: LinkPasswordHasher,
  { workspaceId, signal }: Hashing,
  links: readonly WithPasswordHash<Fields>[],
): Promise<ReturnType<typeof withoutHashing<Fields>>[]> {
  const texts = links.flatMap(({ password }) => password ?? [])
  const hashes = await passwords.hashOfLinks(workspaceId, texts, signal)
  return links.map((link) => withHash(link, () => hashes.shift()!))
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
): Promise<{ linkId: number; workspaceId: number; passwordHash: string } | undefined> {
  return db
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .select(['links.id as linkId', 'links.workspace_id as workspaceId', 'password_hash as passwordHash'])
    .where('codes.code', '=', code)
    .where('codes.domain_id', '=', domainId)
    .where('password_hash', 'is not', null)
    .$narrowType<{ passwordHash: string }>()
    .executeTakeFirst()
}
