import type { Clock } from '../../runtime/clock.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import type { PasswordQueue } from '../password/password-queue.ts'
import { lockUser, userById } from '../find-user.ts'
import type { MailingDeps } from '../tokens/mailed-link.ts'
import { type Proof, reauthenticate } from '../sign-in/reauthenticate.ts'
import { dropRecoveryCodes, makeRecoveryCodes, consumeRecoveryCode } from './recovery-codes.ts'
import { type NoticeCount, notifyTwoFactorOff } from '../security-notices.ts'
import { useSecretOnce } from '../tokens/single-use-token.ts'

/** RFC 6238 as every authenticator app supports it: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30
const DIGITS = 6
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Clocks may be off by one step. */
const STEPS_FORGIVEN = 1

export const WRONG_CODE = 'The code is wrong or was already used.'

type TwoFactorDeps = { db: DurableDb; clock: Clock; passwords: PasswordQueue }

/** A secret for an authenticator app. It has no effect before the first code is entered. */
export async function startTwoFactor(
  deps: TwoFactorDeps & { baseUrl: string },
  userId: number,
  proof: Proof,
): Promise<{ secret: string; uri: string }> {
  await reauthenticate(deps, userId, proof)
  const { Secret } = await totpLibrary()
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const row = await deps.db
    .updateTable('users')
    .set({ totp_secret: secret })
    .where('id', '=', userId)
    .where('totp_enabled_at', 'is', null)
    .returning('email')
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('second_factor_on', 'Two-factor sign-in is already enabled.')
  const totp = await totpOf(secret, { label: row.email, issuer: new URL(deps.baseUrl).host })
  return { secret, uri: totp.toString() }
}

/** The first code turns it on. The recovery codes are returned only here. */
export async function confirmTwoFactor(
  { db, clock }: Omit<TwoFactorDeps, 'passwords'>,
  userId: number,
  code: string,
): Promise<string[]> {
  return transact(db, async (tx) => {
    if (!(await takeTotp({ db: tx, clock }, userId, code))) {
      throw invalid({
        code: ['The code is wrong: look at the time of your telephone, and try the next one.'],
      })
    }
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set({ totp_enabled_at: clock.nowUs() })
      .where('id', '=', userId)
      .where('totp_enabled_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new Refusal('second_factor_on', 'Two-factor sign-in is already enabled.')
    return makeRecoveryCodes(tx, userId)
  })
}

/** The user is notified. */
export async function stopTwoFactor(
  deps: TwoFactorDeps & MailingDeps & NoticeCount,
  userId: number,
  { proof, device }: { proof: Proof; device: string },
): Promise<void> {
  await reauthenticate(deps, userId, proof)
  const owner = await userById(deps.db, userId)
  if (owner.hasSecondFactor) deps.countNotice(userId)
  await transact(deps.db, async (tx) => {
    await tx
      .updateTable('users')
      .set({ totp_secret: null, totp_enabled_at: null, totp_last_step: null })
      .where('id', '=', userId)
      .execute()
    await dropRecoveryCodes(tx, userId)
  })
  if (owner.hasSecondFactor) notifyTwoFactorOff(deps, owner, device)
}

/** The old recovery codes stop working. */
export async function renewRecoveryCodes(
  deps: TwoFactorDeps,
  userId: number,
  proof: Proof,
): Promise<string[]> {
  await reauthenticate(deps, userId, proof)
  return transact(deps.db, async (tx) => {
    await lockUser(tx, userId)
    const row = await tx
      .selectFrom('users')
      .select('totp_enabled_at')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    if (row.totp_enabled_at === null)
      throw new Refusal('second_factor_off', 'Two-factor sign-in is not enabled.')
    return makeRecoveryCodes(tx, userId)
  })
}

/** Accepts a code of the app or a recovery code, each once. */
export async function useSecondFactor(
  { db, clock }: { db: DurableDb | Tx; clock: Clock },
  userId: number,
  code: string,
): Promise<boolean> {
  return (await takeTotp({ db, clock }, userId, code)) || (await consumeRecoveryCode(db, userId, code))
}

/**
 * Accepts each code once, and none older than the last one. If the last one lies in the future, the clock was ahead then and has
 * been corrected since: only used codes are refused.
 */
async function takeTotp(
  { db, clock }: { db: DurableDb | Tx; clock: Clock },
  userId: number,
  code: string,
): Promise<boolean> {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return false
  const row = await db
    .selectFrom('users')
    .select('totp_secret')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (row.totp_secret === null) return false
  const timestamp = clock.nowUs() / 1000
  const totp = await totpOf(row.totp_secret)
  const away = totp.validate({ token, timestamp, window: STEPS_FORGIVEN })
  if (away === null) return false
  const now = Math.floor(timestamp / 1000 / PERIOD_SECONDS)
  const step = now + away
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('totp_last_step', 'is', null),
        eb('totp_last_step', '<', step),
        eb('totp_last_step', '>', now + STEPS_FORGIVEN),
      ]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n && useSecretOnce({ db, clock }, `totp ${row.totp_secret} ${step}`)
}

/** Loaded on first use, so that the program starts quickly. */
const totpLibrary = () => import('otpauth')

async function totpOf(secret: string, { label = '', issuer = '' } = {}) {
  const { Secret, TOTP } = await totpLibrary()
  return new TOTP({
    secret: Secret.fromBase32(secret),
    label,
    issuer,
    period: PERIOD_SECONDS,
    digits: DIGITS,
  })
}
