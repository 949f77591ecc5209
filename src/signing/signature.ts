import { createHmac, timingSafeEqual } from 'node:crypto'

const SIGNATURE = /^[\w-]{43}$/

/** What a signature is for, and the key that it is made with. `subject` differs between uses of the same key. */
export type Signed = { subject: string; key: string }

/** 43 characters, for URLs and cookies. */
export const signatureOf = (signed: Signed): string => hmacOf(signed).toString('base64url')

/** Takes as long for a wrong signature, wherever it is wrong. Costs an HMAC if it is well-formed. */
export const isSignature = (signature: string, signed: Signed): boolean =>
  SIGNATURE.test(signature) && timingSafeEqual(Buffer.from(signature, 'base64url'), hmacOf(signed))

const hmacOf = ({ subject, key }: Signed): Buffer => createHmac('sha256', key).update(subject).digest()
