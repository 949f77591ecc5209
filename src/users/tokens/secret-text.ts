import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** 256 random bits, for cookies and emailed links. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** SHA-256 in hex. With 256 random bits no slow hash is needed (ASVS 6.5.2). */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
