import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { openStore } from '../../../src/store/open-store.ts'
import { eventually } from '../../rigs/eventually.ts'
import { operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { runTern, ServerProcess } from '../../rigs/program/server-process.ts'
import { mountSmallDisk } from '../../rigs/program/small-disk.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

setDefaultTimeout(120_000)

const DISK_MEGABYTES = 96
const LINK = { original_url: 'https://example.com/' }
const UNAVAILABLE = {
  success: false,
  code: 'store_unavailable',
  message: 'Nothing can be stored at the moment. Try again in a few seconds.',
  errors: {},
}

const folders = temporaryFolders()
const isMissing =
  findPostgres() === undefined && skipBecause('a full disk of PostgreSQL', 'apt-get install postgresql')
const disk = isMissing ? undefined : mountSmallDisk(DISK_MEGABYTES)
const isSkipped =
  isMissing || (disk === undefined && skipBecause('a full disk of PostgreSQL', 'run the tests as root'))
let postgres: PostgresServer

describe.skipIf(isSkipped)('while the disk of PostgreSQL is full', () => {
  beforeAll(async () => {
    chmodSync(disk!.folder, 0o755)
    postgres = await PostgresServer.start({ within: disk!.folder })
  })

  afterAll(async () => {
    disk!.free()
    await postgres?.remove()
    disk!.unmount()
    folders.remove()
  })

  test('creations are refused, visitors are redirected, and every click is counted when there is room', async () => {
    const folder = await operateFolder(folders.make(), { DATABASE_URL: await postgres.makeDatabase() })
    const server = await ServerProcess.start(folder.settings)
    await folder.makeLinks(['known', 'other'])
    disk!.fill()
    for (let i = 0; i < 5; i++) {
      const long = { original_url: `${LINK.original_url}${'x'.repeat(8_000)}` }
      const answers = [
        await folder.api('POST', '/api/bulk-shorten', { links: Array.from({ length: 50 }, () => long) }),
        await folder.api('POST', '/api/links', long),
      ]
      for (const { status, headers, body } of answers)
        expect([status, headers['retry-after'], JSON.parse(body)]).toEqual([503, '5', UNAVAILABLE])
      const visits = ['/known', '/other', '/none'].map((path) => folder.api('GET', path))
      expect((await Promise.all(visits)).map(({ status }) => status)).toEqual([302, 302, 404])
    }
    expect((await folder.api('GET', '/api/links')).status).toBe(200)
    const health = async () => JSON.parse((await folder.api('GET', '/api/health')).body).status
    expect(await eventually(health, (status) => status === 'degraded')).toBe('degraded')
    expect((await runTern(['doctor'], folder.settings)).output).toContain(
      'fault    database: The disk of PostgreSQL is full. Free some space there.\n',
    )

    disk!.free()
    expect(await eventually(health, (status) => status === 'ok')).toBe('ok')
    expect((await folder.api('POST', '/api/links', LINK)).status).toBe(201)
    const counts = async () => Object.fromEntries(await folder.clickCounts(['known', 'other']))
    const wanted = { known: 5, other: 5 }
    expect(await eventually(counts, (each) => Bun.deepEquals(each, wanted))).toEqual(wanted)
    expect((await server.stop()).exitCode).toBe(0)
  })

  test('tern store move to it moves nothing, and can be run again when there is room', async () => {
    const [settings, email] = [{ DATA_DIR: folders.make() }, 'operator@example.com']
    const create = ['account', 'create', email, '--name', 'Operator', '--password', 'a long sentence']
    expect((await runTern(create, settings)).exitCode).toBe(0)
    const [unopened, empty, withTables] = await Promise.all([1, 2, 3].map(() => postgres.makeDatabase()))
    await postgres.run('SELECT 1', new URL(empty!).pathname.slice(1))
    await (await openStore({ dataDir: '', databaseUrl: withTables }, 'same-thread')).close()
    await postgres.run('SELECT 1', new URL(withTables!).pathname.slice(1))
    const move = (to: string) =>
      runTern(['store', 'move', '--from', `sqlite:${settings.DATA_DIR}`, '--to', to], settings)
    disk!.fill()
    for (const to of [unopened!, empty!, withTables!]) {
      const { exitCode, complaints } = await move(to)
      expect([exitCode, complaints]).toEqual([
        1,
        `The disk of ${to.replace('tern@', '')} is full, so nothing was moved. Free some space there and run the command again.\n`,
      ])
    }
    disk!.free()
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
