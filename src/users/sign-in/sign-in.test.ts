import { afterEach, beforeEach, expect, test } from 'bun:test'
import { GOOD, useAccountRig } from '../../../test/rigs/service/account-rig.ts'
import type { EmailTemplate } from '../../mail/email-template.ts'
import { changePassword } from '../password/change-password.ts'
import { PasswordQueue } from '../password/password-queue.ts'
import { endAllSessions } from './session.ts'
import { signIn } from './sign-in.ts'

const rig = useAccountRig()
let userId: number

beforeEach(addUser)
afterEach(forgetLetters)

test.each([
  ['changed', () => setPassword({})],
  [
    'of an account that is suspended',
    () => rig.db.updateTable('workspaces').set({ suspended_at: 1 }).execute(),
  ],
  ['of a user who is suspended', () => rig.db.updateTable('users').set({ suspended_at: 1 }).execute()],
  ['of an account that is deleted', () => rig.db.updateTable('users').set({ closed_at: 1 }).execute()],
])('a password that is %s while somebody signs in with it signs nobody in', async (_, interrupt) => {
  await expect(signIn(depsWith(new BusyQueue(interrupt)), SIGN_IN)).rejects.toMatchObject({
    fields: { email: ['The email or password is incorrect.'] },
  })
  expect(await sessions()).toEqual([])
})

test('a hash that is made again does not undo a change of the password', async () => {
  const outdated = await Bun.password.hash(GOOD.password, {
    algorithm: 'argon2id',
    memoryCost: 8_192,
    timeCost: 1,
  })
  await rig.db.updateTable('users').set({ password_hash: outdated }).execute()
  await expect(signIn(depsWith(new BusyQueue(() => setPassword({}))), SIGN_IN)).rejects.toThrow()
  const passwords = new PasswordQueue()
  expect(await passwords.verify(NEW_PASSWORD, (await rig.users())[0]!.password_hash)).toBe(true)
})

test('the last change of a password needs the password before it', async () => {
  const interrupt = () => Promise.all([setPassword({}), endAllSessions(rig.db, userId)])
  const change = {
    proof: { password: GOOD.password, isConfirmed: false },
    newPassword: 'the horse of a burglar',
    device: '',
  }
  await expect(changePassword(depsWith(new BusyQueue(interrupt)), userId, change)).rejects.toMatchObject({
    fields: { password: ['The password is incorrect.'] },
  })
  const passwords = new PasswordQueue()
  expect(await passwords.verify(NEW_PASSWORD, (await rig.users())[0]!.password_hash)).toBe(true)
  expect([await sessions(), letters]).toEqual([[], []])
})

/** As the queue is when others are before us: something happens right after a password was found to be right. */
class BusyQueue extends PasswordQueue {
  readonly #interrupt: () => Promise<unknown>

  constructor(interrupt: () => Promise<unknown>) {
    super()
    this.#interrupt = interrupt
  }

  override async verify(password: string, hash: string | undefined): Promise<boolean> {
    const isRight = await super.verify(password, hash)
    await this.#interrupt()
    return isRight
  }
}

async function addUser(): Promise<void> {
  userId = (await rig.makeAccount({ isVerified: true })).userId
}

async function forgetLetters(): Promise<void> {
  letters.length = 0
}

const NEW_PASSWORD = 'an altogether other horse'
const SIGN_IN = { email: GOOD.email, password: GOOD.password, code: '', device: 'Firefox on Linux' }
const letters: EmailTemplate[] = []

const setPassword = async (values: object) =>
  rig.db
    .updateTable('users')
    .set({ password_hash: await new PasswordQueue().hash(NEW_PASSWORD), ...values })
    .execute()

const depsWith = (passwords: PasswordQueue) => ({
  ...rig.deps,
  passwords,
  baseUrl: 'https://s.example',
  mails: { post: (letter: EmailTemplate) => void letters.push(letter) },
  countNotice: () => {},
  config: { oidcOnly: false },
})

const sessions = () => rig.db.selectFrom('sessions').selectAll().execute()
