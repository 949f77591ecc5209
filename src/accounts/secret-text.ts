import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** 256 random bits: the token of a cookie or a mail. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** A secret as a client sent it. What is no text is '', which is nobody's: objects may not even have a text. */
export const readSecret = (input: unknown): string => (typeof input === 'string' ? input : '')

/** SHA-256 in hex, which is all that is kept of a secret: with so many random bits no slow hash is needed (ASVS 6.5.2). */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
