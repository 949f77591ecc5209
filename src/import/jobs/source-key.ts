import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { AnyDb } from '../../store/handles.ts'

// The key of another program, as it is kept until its links were read: so that it is not readable in a dump, a log of statements
// or a page of the database. Who has all of the store can still decrypt it.

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const PURPOSE = 'tern import key'

export async function encryptKey(db: AnyDb, key: string): Promise<string> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, await secretOf(db), nonce)
  const encrypted = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')
}

/** Undefined if another store has encrypted it: a move does not take its secret along. */
export async function decryptKey(db: AnyDb, text: string): Promise<string | undefined> {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv(ALGORITHM, await secretOf(db), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** From what is random in every store. */
async function secretOf(db: AnyDb): Promise<Uint8Array> {
  const { id } = await db.selectFrom('store_identity').select('id').executeTakeFirstOrThrow()
  return new Uint8Array(hkdfSync('sha256', id, '', PURPOSE, KEY_BYTES))
}
