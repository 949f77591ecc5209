import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { callerWithRole } from '../../../src/access/caller.ts'
import { StoreUnavailable } from '../../../src/errors/store-unavailable.ts'
import { inviteMembers, listWorkspaceInvitations } from '../../../src/users/members/workspace-invitations.ts'
import { confirmNewEmail } from '../../../src/users/profile/change-email.ts'
import { issueToken, spentToken } from '../../../src/users/tokens/single-use-token.ts'
import { dayOf, systemClock } from '../../../src/runtime/clock.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import { Nodes } from '../../rigs/program/nodes.ts'
import { asAnother, type OperatedFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('nodes that write the same rows', 'apt-get install postgresql')
const folders = temporaryFolders()

const ROUNDS = 60
/** Enough for two requests to be in the middle of theirs at the same time. */
const CODES_PER_ROUND = 60

let postgres: PostgresServer
let nodes: Nodes
let stranger: OperatedFolder

describe.skipIf(isMissing)('two nodes that write the same rows', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    const databaseUrl = await postgres.makeDatabase()
    nodes = await Nodes.start(2, { databaseUrl, folder: () => folders.make() })
    stranger = await asAnother(nodes.operator, 'stranger@example.com')
  })

  afterAll(async () => {
    await nodes.stop()
    await postgres.remove()
    folders.remove()
  })

  const bulk = async (node: number, codes: readonly string[], key: string): Promise<Answer> => {
    const links = codes.map((code) => ({ original_url: `https://example.com/${code}`, custom_code: code }))
    const response = await nodes.ask(node, 'POST', '/api/bulk-shorten', { links }, key)
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

  test.each([
    ['one account', () => nodes.operator.key],
    ['two accounts', () => stranger.key],
  ])(
    'create the same codes in opposite order for %s: one gets them, and they are taken for the other',
    async (who, otherKey) => {
      for (let n = 0; n < ROUNDS; n++) {
        await race(`${who.replace(' ', '-')}-${n}`, [nodes.operator.key, otherKey()])
      }
      await expectNoDeadlock()
    },
  )

  test('use two emailed links of one account at once: the email address is one of theirs', async () => {
    const place = { dataDir: '', databaseUrl: nodes.operator.settings.DATABASE_URL! }
    const stores = [await openStore(place, 'same-thread'), await openStore(place, 'same-thread')]
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
    const place = { dataDir: '', databaseUrl: nodes.operator.settings.DATABASE_URL! }
    const stores = [await openStore(place, 'same-thread'), await openStore(place, 'same-thread')]
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
        if (!(error instanceof StoreUnavailable)) throw error
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

  async function mailLink({ db }: Store, email: string) {
    const deps = { db, clock: systemClock, baseUrl: 'http://s.example.com', mails: { post() {} } }
    const subject = { purpose: 'change-email', userId: stranger.userId, email } as const
    return { deps, token: await issueToken(deps, subject) }
  }

  /** And none succeeded only on a retry. */
  const expectNoDeadlock = async () => expect(await postgres.log()).not.toContain('deadlock detected')
})

type Answer = { status: number; codes: string[] | undefined }
