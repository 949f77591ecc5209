import { describe, expect, test } from 'bun:test'
import { becomes, until } from '../../rigs/eventually.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

describe.skipIf(lacks('reading from a replica', 'postgresql'))('with a replica', () => {
  const tern = useTern({ postgres: { standby: 'read', networked: [0] } })

  test('lists are read there, single links and writes are not', async () => {
    await tern.makeLinks('first')
    expect((await tern.api('GET', '/api/links/first')).status).toBe(200)
    await becomes(listed, ['first'])
    const before = await readsOfReplica()
    for (let n = 0; n < 200; n++) expect(await listed()).toEqual(['first'])
    // PostgreSQL reports its reads a second later.
    await until(async () => (await readsOfReplica()) - before > 200)
  })

  test('a replica that falls behind is not read', async () => {
    await replica('SELECT pg_wal_replay_pause()')
    await tern.makeLinks('second')
    await becomes(listed, ['second', 'first'])
    await replica('SELECT pg_wal_replay_resume()')
  })

  test('a link has analytics as soon as it is created, though the replica does not have it yet', async () => {
    await replica('SELECT pg_wal_replay_pause()')
    await tern.makeLinks('third')
    const paths = ['/api/analytics/links/third', '/api/analytics/countries?short_code=third']
    const answers = await Promise.all(paths.map((path) => tern.api('GET', path)))
    await replica('SELECT pg_wal_replay_resume()')
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await tern.api('DELETE', '/api/links/third')
  })

  test('a replica that is down is not missed', async () => {
    await tern.database.standby!.stop('immediate')
    for (let n = 0; n < 20; n++) expect(await listed()).toEqual(['second', 'first'])
    await tern.database.standby!.startAgain()
  })

  async function listed(): Promise<unknown> {
    const { status, body } = await tern.api('GET', '/api/links')
    if (status !== 200) return status
    return JSON.parse(body).data.map(({ short_code: code }: { short_code: string }) => code)
  }

  const replica = (statement: string) => tern.database.standby!.run(statement)

  /** Lists above all. */
  async function readsOfReplica(): Promise<number> {
    const [row] = await replica(
      `SELECT coalesce(sum(xact_commit), 0)::int AS reads FROM pg_stat_database WHERE datname = '${tern.database.name}'`,
    )
    return Number(row!.reads)
  }
})
