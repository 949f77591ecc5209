import { beforeAll, describe, expect, test } from 'bun:test'
import { callerWithRole } from '../../../src/access/caller.ts'
import { StoreUnavailable } from '../../../src/errors/store-unavailable.ts'
import { inviteMembers, listWorkspaceInvitations } from '../../../src/users/members/workspace-invitations.ts'
import { confirmNewEmail } from '../../../src/users/profile/change-email.ts'
import { issueToken, spentToken } from '../../../src/users/tokens/single-use-token.ts'
import { storeNotFound } from '../../../src/links/not-found/store-not-found.ts'
import { dayOf, systemClock } from '../../../src/runtime/clock.ts'
import { isTimeLimit } from '../../../src/store/store-errors.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import { asAnother, type OperatedFolder } from '../../rigs/program/operated-folder.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

const isMissing = lacks('nodes that write the same rows', 'postgresql')

describe.skipIf(isMissing)('two nodes that write the same rows', () => {
  const tern = useTern({ nodes: 2, postgres: {} })
  let stranger: OperatedFolder
  beforeAll(async () => {
    stranger = await asAnother(tern.operator, 'stranger@example.com')
  })

  test.each([
    ['one account', () => tern.operator.key],
    ['two accounts', () => stranger.key],
  ])(
    'create the same codes in opposite order for %s: one gets them, and they are taken for the other',
    async (who, otherKey) => {
      for (let n = 0; n < ROUNDS; n++) {
        await race(`${who.replace(' ', '-')}-${n}`, [tern.operator.key, otherKey()])
      }
      await expectNoDeadlock()
    },
  )

  test('use two emailed links of one account at once: the email address is one of theirs', async () => {
    const stores = [await openOwn(), await openOwn()]
    for (let n = 0; n < ROUNDS; n++) {
      const presented = await Promise.all(
        stores.map((store, at) => mailLink(store, `new-${n}-${at}@example.com`)),
      )
      const outcomes = await Promise.allSettled(
        presented.map(({ deps, token }) => confirmNewEmail(deps, { token, device: '' })),
      )
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toEqual(spentToken())
      }
    }
    for (const store of stores) await store.close()
    await expectNoDeadlock()
  })

  test('send invitations of one workspace at once: together no more than a day has', async () => {
    const { userId, workspaceId } = stranger
    const stores = [await openOwn(), await openOwn()]
    const day = { invitations_day: dayOf(systemClock.nowUs()), invitations_of_day: 150 }
    await stores[0]!.db.updateTable('workspaces').set(day).where('id', '=', workspaceId).execute()
    const caller = callerWithRole({ workspaceId, userId, role: 'owner', name: 'Stranger', device: '' })
    const deps = stores.map(({ db }) => ({
      db,
      clock: systemClock,
      baseUrl: 'http://s.example.com',
      mails: { post() {} },
      countMail() {},
    }))
    // On a busy machine some wait too long for a connection, and are sent again.
    const invite = async (n: number): Promise<void> => {
      const sent = { emails: [`invited-${n}@example.com`], role: 'viewer' as const }
      await inviteMembers(deps[n % 2]!, caller, sent).catch((error) => {
        if (!(error instanceof StoreUnavailable) && !isTimeLimit(error)) throw error
        return invite(n)
      })
    }
    const outcomes = await Promise.allSettled(Array.from({ length: ROUNDS }, (_, n) => invite(n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'too-many' })
    expect(await listWorkspaceInvitations({ db: stores[0]!.db }, caller)).toHaveLength(50)
    for (const store of stores) await store.close()
    await expectNoDeadlock()
  })

  test('count visits of the same codes that lead nowhere, in opposite order', async () => {
    const stores = [await openOwn(), await openOwn()]
    const visited = [1, 2].flatMap((domainId) =>
      Array.from({ length: CODES_PER_ROUND }, (_, n) => ({ domainId, code: `nowhere-${n}`, visits: 1 })),
    )
    const orders = [visited, visited.toReversed()]
    for (let n = 0; n < ROUNDS; n++)
      await Promise.all(
        stores.map(({ relaxedDb }, at) => storeNotFound(relaxedDb, NOT_FOUND_DAY, orders[at]!)),
      )
    for (const store of stores) await store.close()
    await expectNoDeadlock()
  })

  const bulk = async (node: number, codes: readonly string[], key: string): Promise<Answer> => {
    const links = codes.map((code) => ({ original_url: `https://example.com/${code}`, custom_code: code }))
    const response = await tern.ask({ node, key }, 'POST', '/api/bulk-shorten', { links })
    const { data } = (await response.json()) as { data?: { short_code: string }[] }
    return { status: response.status, codes: data?.map(({ short_code: code }) => code) }
  }

  /** Both ask for the same codes, one from the first to the last, the other from the last to the first. */
  async function race(round: string, keys: readonly [string, string]): Promise<void> {
    const codes = Array.from({ length: CODES_PER_ROUND }, (_, n) => `${round}-${n}`)
    const backwards = codes.toReversed()
    const answers = await Promise.all([bulk(0, codes, keys[0]), bulk(1, backwards, keys[1])])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(answers[0].codes ?? codes).toEqual(codes)
    expect(answers[1].codes ?? backwards).toEqual(backwards)
  }

  /** Another process on the same database. */
  const openOwn = () =>
    openStore({ dataDir: '', databaseUrl: tern.operator.settings.DATABASE_URL! }, 'same-thread')

  async function mailLink({ db }: Store, email: string) {
    const deps = { db, clock: systemClock, baseUrl: 'http://s.example.com', mails: { post() {} } }
    const subject = { purpose: 'change-email', userId: stranger.userId, email } as const
    return { deps, token: await issueToken(deps, subject) }
  }

  /** And none succeeded only on a retry. */
  const expectNoDeadlock = async () =>
    expect(await tern.database.server.log()).not.toContain('deadlock detected')
})

const ROUNDS = 60
/** Long ago, so that no node has noted any. */
const NOT_FOUND_DAY = 1

/** Enough for two requests to be in the middle of theirs at the same time. */
const CODES_PER_ROUND = 60

type Answer = { status: number; codes: string[] | undefined }
