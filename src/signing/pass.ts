import { isSignature, type Signed, signatureOf } from './signature.ts'

/** When it ends, in seconds since 1970, and the signature. */
const PASS = /^([1-9]\d{0,11})\.(.+)$/

/** Now, and for how long passes are made. */
type PassTime = { nowUs: number; lifetimeSeconds: number }

/** A text that lets its bearer in until it ends, and that nobody else can make. */
export function newPass(signed: Signed, { nowUs, lifetimeSeconds }: PassTime): string {
  const endsAt = Math.floor(nowUs / 1_000_000) + lifetimeSeconds
  return `${endsAt}.${signatureOf(until(endsAt, signed))}`
}

/** Whether it ends within the lifetime. Costs no HMAC. */
export function isCurrent(pass: string, { nowUs, lifetimeSeconds }: PassTime): boolean {
  const endsAt = Number(PASS.exec(pass)?.[1])
  return endsAt * 1_000_000 > nowUs && endsAt - lifetimeSeconds <= nowUs / 1_000_000
}

/** Whether `newPass` has made it. It may have ended. */
export function isPass(pass: string, signed: Signed): boolean {
  const [, endsAt, signature] = PASS.exec(pass) ?? []
  return signature !== undefined && isSignature(signature, until(Number(endsAt), signed))
}

const until = (endsAt: number, { subject, key }: Signed): Signed => ({ subject: `${subject} ${endsAt}`, key })
