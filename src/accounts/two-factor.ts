import type { Clock } from '../clock.ts'
import { invalid, Refusal } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { lockAccount } from './find-account.ts'
import type { PasswordQueue } from './password-queue.ts'
import { accountById } from './find-account.ts'
import type { MailingDeps } from './mailed-link.ts'
import { reauthenticate } from './reauthenticate.ts'
import { dropRecoveryCodes, makeRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'
import { readSecret } from './secret-text.ts'
import { type NoticeCount, tellOfTwoFactorOff } from './security-notices.ts'
import { useSecretOnce } from './single-use-token.ts'

/** RFC 6238 with what every authenticator app takes: SHA-1, six digits, 30 seconds. */
const PERIOD_SECONDS = 30
const DIGITS = 6
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Clocks that are off by one step are forgiven. */
const STEPS_FORGIVEN = 1

type TwoFactorDeps = { db: Db; clock: Clock; passwords: PasswordQueue }

/** A secret for an authenticator app. It has no effect before the first code is entered. */
export async function startTwoFactor(
  deps: TwoFactorDeps & { baseUrl: string },
  accountId: number,
  password: unknown,
): Promise<{ secret: string; uri: string }> {
  await reauthenticate(deps, accountId, password)
  const { Secret } = await totpLibrary()
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const row = await deps.db
    .updateTable('accounts')
    .set({ totp_secret: secret })
    .where('id', '=', accountId)
    .where('totp_enabled_at', 'is', null)
    .returning('email')
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('conflict', 'Two-factor sign-in is already enabled.')
  const totp = await totpOf(secret, { label: row.email, issuer: new URL(deps.baseUrl).host })
  return { secret, uri: totp.toString() }
}

/** Switches it on by the first code. The recovery codes are given back here and never again. */
export async function confirmTwoFactor(
  { db, clock }: Omit<TwoFactorDeps, 'passwords'>,
  accountId: number,
  code: unknown,
): Promise<string[]> {
  return transact(db, async (tx) => {
    if (!(await takeTotp({ db: tx, clock }, accountId, code))) {
      throw invalid({
        code: ['The code is wrong: look at the time of your telephone, and try the next one.'],
      })
    }
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ totp_enabled_at: clock.nowUs() })
      .where('id', '=', accountId)
      .where('totp_enabled_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new Refusal('conflict', 'Two-factor sign-in is already enabled.')
    return makeRecoveryCodes(tx, accountId)
  })
}

/** Its owner is mailed. */
export async function stopTwoFactor(
  deps: TwoFactorDeps & MailingDeps & NoticeCount,
  accountId: number,
  { password, device }: { password: unknown; device: string },
): Promise<void> {
  await reauthenticate(deps, accountId, password)
  const owner = await accountById(deps.db, accountId)
  if (owner.hasSecondFactor) deps.countNotice(accountId)
  await transact(deps.db, async (tx) => {
    await tx
      .updateTable('accounts')
      .set({ totp_secret: null, totp_enabled_at: null, totp_last_step: null })
      .where('id', '=', accountId)
      .execute()
    await dropRecoveryCodes(tx, accountId)
  })
  if (owner.hasSecondFactor) tellOfTwoFactorOff(deps, owner, device)
}

/** New recovery codes; the old ones are good for nothing any more. */
export async function renewRecoveryCodes(
  deps: TwoFactorDeps,
  accountId: number,
  password: unknown,
): Promise<string[]> {
  await reauthenticate(deps, accountId, password)
  return transact(deps.db, async (tx) => {
    await lockAccount(tx, accountId)
    const row = await tx
      .selectFrom('accounts')
      .select('totp_enabled_at')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (row.totp_enabled_at === null) throw new Refusal('conflict', 'Two-factor sign-in is not enabled.')
    return makeRecoveryCodes(tx, accountId)
  })
}

/** Takes a code of the app, or a recovery code; each is good once. */
export async function takeSecondFactor(
  { db, clock }: { db: Db; clock: Clock },
  accountId: number,
  code: unknown,
): Promise<boolean> {
  return (await takeTotp({ db, clock }, accountId, code)) || (await takeRecoveryCode(db, accountId, code))
}

/**
 * Takes each code once, and none that is older than the last one. A last one of the future was taken while the clock ran
 * ahead: the clock has come back since, and only what was used is refused.
 */
async function takeTotp(
  { db, clock }: { db: Db; clock: Clock },
  accountId: number,
  code: unknown,
): Promise<boolean> {
  const token = readSecret(code).replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return false
  const row = await db
    .selectFrom('accounts')
    .select('totp_secret')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (row.totp_secret === null) return false
  const timestamp = clock.nowUs() / 1000
  const totp = await totpOf(row.totp_secret)
  const away = totp.validate({ token, timestamp, window: STEPS_FORGIVEN })
  if (away === null) return false
  const now = Math.floor(timestamp / 1000 / PERIOD_SECONDS)
  const step = now + away
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ totp_last_step: step })
    .where('id', '=', accountId)
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

/** Loaded when somebody first has to do with it, for the sake of a quick start. */
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
