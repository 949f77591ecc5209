import { describe, expect, test } from 'bun:test'
import { openStore } from '../../../src/store/open-store.ts'
import { becomes } from '../../rigs/eventually.ts'
import { runTern } from '../../rigs/program/server-process.ts'
import { fullDisk } from '../driver/faults.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

const LINK = { original_url: 'https://example.com/' }
const UNAVAILABLE = {
  success: false,
  code: 'store_unavailable',
  message: 'Nothing can be stored at the moment. Try again in a few seconds.',
  errors: {},
}
const isMissing = lacks('a full disk of PostgreSQL', 'postgresql', 'small disks')

describe.skipIf(isMissing)('while the disk of PostgreSQL is full', () => {
  const tern = useTern({ postgres: {}, diskMegabytes: 96 })

  test('creations are refused, visitors are redirected, and every click is counted when there is room', async () => {
    await tern.makeLinks('known', 'other')
    const free = await fullDisk(tern)
    for (let i = 0; i < 5; i++) {
      const long = { original_url: `${LINK.original_url}${'x'.repeat(8_000)}` }
      const answers = [
        await tern.api('POST', '/api/bulk-shorten', { links: Array.from({ length: 50 }, () => long) }),
        await tern.api('POST', '/api/links', long),
      ]
      for (const { status, headers, body } of answers)
        expect([status, headers['retry-after'], JSON.parse(body)]).toEqual([503, '5', UNAVAILABLE])
      const visits = ['/known', '/other', '/none'].map((path) => tern.api('GET', path))
      expect((await Promise.all(visits)).map(({ status }) => status)).toEqual([302, 302, 404])
    }
    expect((await tern.api('GET', '/api/links')).status).toBe(200)
    await becomes(() => tern.health(), 'degraded')
    expect((await tern.run(['doctor'])).output).toContain(
      'fault    database: The disk of PostgreSQL is full. Free some space there.\n',
    )

    await free()
    await becomes(() => tern.health(), 'ok')
    expect((await tern.api('POST', '/api/links', LINK)).status).toBe(201)
    await tern.counted({ known: 5, other: 5 })
    await tern.stopAll()
  })

  test('tern store move to it moves nothing, and can be run again when there is room', async () => {
    const { server: postgres } = tern.database
    const [settings, email] = [{ DATA_DIR: tern.folders.make() }, 'operator@example.com']
    const create = ['account', 'create', email, '--name', 'Operator', '--password', 'a long sentence']
    expect((await runTern(create, settings)).exitCode).toBe(0)
    const [unopened, empty, withTables] = await Promise.all([1, 2, 3].map(() => postgres.makeDatabase()))
    await postgres.run('SELECT 1', new URL(empty!).pathname.slice(1))
    await (await openStore({ dataDir: '', databaseUrl: withTables }, 'same-thread')).close()
    await postgres.run('SELECT 1', new URL(withTables!).pathname.slice(1))
    const move = (to: string) =>
      runTern(['store', 'move', '--from', `sqlite:${settings.DATA_DIR}`, '--to', to], settings)
    const free = await fullDisk(tern)
    for (const to of [unopened!, empty!, withTables!]) {
      const { exitCode, complaints } = await move(to)
      expect([exitCode, complaints]).toEqual([
        1,
        `The disk of ${to.replace('tern@', '')} is full, so nothing was moved. Free some space there and run the command again.\n`,
      ])
    }
    await free()
    const list = (databaseUrl: string) =>
      runTern(['account', 'list'], { ...settings, DATABASE_URL: databaseUrl })
    for (const to of [unopened!, empty!])
      expect((await list(to)).complaints).toStartWith('The database of DATABASE_URL has no tables of Tern.')
    expect((await list(withTables!)).output).toStartWith('There are no accounts yet.')
    expect((await runTern(['account', 'verify', email], settings)).exitCode).toBe(0)
    expect((await move(withTables!)).exitCode).toBe(0)
    expect((await list(withTables!)).output).toContain(email)
  })
})
