import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ClickLoad, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { eventually } from '../../rigs/eventually.ts'
import { freePort } from '../../rigs/free-port.ts'
import { type OperatedFolder, operateFolder } from '../../rigs/program/operated-folder.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { runTern, ServerProcess } from '../../rigs/program/server-process.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('several workers of one machine', 'apt-get install postgresql')
const folders = temporaryFolders()
const CODES = ['one', 'two', 'three']

let postgres: PostgresServer
let folder: OperatedFolder

describe.skipIf(isMissing)('several workers', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    folder = await operateFolder(folders.make(), { DATABASE_URL: await postgres.makeDatabase() })
  })

  afterAll(async () => {
    await postgres.remove()
    folders.remove()
  })

  /** Visits, each over its own connection, so that the system distributes them. */
  async function visit(count: number): Promise<number> {
    for (let sent = 0; sent < count; sent += 10) {
      const random = seededRandom(sent)
      const { acknowledged } = await new ClickLoad({
        port: folder.port,
        clients: 10,
        codes: CODES,
        random,
        requestsMax: 10,
      }).finished
      expect(sumOf(acknowledged)).toBe(10)
    }
    return count
  }

  const counted = (clicks: number) =>
    eventually(
      async () => sumOf(await folder.clickCounts(CODES)),
      (found) => found === clicks,
    )

  test('share the port, a killed one is restarted, and all clicks are counted once', async () => {
    const server = await ServerProcess.start(folder.settings, { options: ['--workers', '3'] })
    await folder.makeLinks(CODES)
    let clicks = await visit(200)
    expect(await counted(clicks)).toBe(clicks)
    expect(readdirSync(join(folder.settings.DATA_DIR, 'workers')).toSorted()).toEqual(['1', '2', '3'])
    const [worker] = childrenOf(server.pid)
    process.kill(worker!, 'SIGKILL')
    await eventually(
      async () => childrenOf(server.pid),
      (found) => found.length === 3 && !found.includes(worker!),
    )
    clicks += await visit(100)
    expect(await counted(clicks)).toBe(clicks)
    const { exitCode, output } = await server.stop()
    expect([exitCode, output.includes('3 workers')]).toEqual([0, true])
  }, 60_000)

  test('fewer workers, or a single process, count what the others have left', async () => {
    const before = sumOf(await withServer(() => folder.clickCounts(CODES)))
    const three = await ServerProcess.start(folder.settings, { options: ['--workers', '3'] })
    await visit(100)
    // Killed in the midst of it: nothing is counted in order.
    for (const worker of childrenOf(three.pid)) process.kill(worker, 'SIGKILL')
    await three.kill()
    expect(await withServer(() => counted(before + 100))).toBe(before + 100)
    const { output } = await runTern(['doctor', '--json'], folder.settings)
    const found = JSON.parse(output).findings as { check: string; verdict: string }[]
    const ofFolders = found.filter(({ check }) => /^(journal|codes)/.test(check))
    expect(ofFolders.map(({ check, verdict }) => [check, verdict])).toEqual(
      ['', ' of worker 1', ' of worker 2', ' of worker 3'].flatMap((place) => [
        [`journal${place}`, 'ok'],
        [`codes${place}`, 'ok'],
      ]),
    )
  }, 60_000)

  test('that outlive the process that started them lose no click to the next start', async () => {
    const before = sumOf(await withServer(() => folder.clickCounts(CODES)))
    const settings = { ...folder.settings, STOP_DELAY: '60s' }
    const three = await ServerProcess.start(settings, { options: ['--workers', '3'] })
    const workers = childrenOf(three.pid)
    await visit(50)
    void three.kill()
    await eventually(
      async () => isRunning(three.pid),
      (is) => !is,
    )
    const next = await ServerProcess.start({ ...settings, PORT: String(freePort()) }).catch(
      (error: Error) => error,
    )
    await visit(50)
    for (const worker of workers) process.kill(worker, 'SIGKILL')
    await three.ended
    if (next instanceof ServerProcess) await next.kill()
    expect(await withServer(() => counted(before + 100))).toBe(before + 100)
    expect(String(next)).toContain('is in use by process')
  }, 60_000)

  test('are refused with SQLite, and so is an invalid number', async () => {
    const { DATA_DIR } = folder.settings
    const onSqlite = await runTern(['serve', '--workers', '2'], {
      DATA_DIR,
      PORT: '0',
      BASE_URL: 'http://s.example',
    })
    expect([onSqlite.exitCode, onSqlite.complaints.trim()]).toEqual([
      1,
      '--workers needs PostgreSQL: set DATABASE_URL, or leave --workers out.',
    ])
    const none = await runTern(['serve', '--workers', 'many'], folder.settings)
    expect([none.exitCode, none.complaints]).toEqual([1, expect.stringContaining('must be from 1 to 64')])
  })

  async function withServer<Result>(work: () => Promise<Result>): Promise<Result> {
    const server = await ServerProcess.start(folder.settings)
    try {
      return await work()
    } finally {
      await server.stop()
    }
  }
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const childrenOf = (pid: number): number[] =>
  Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)])
    .stdout.toString()
    .trim()
    .split(/\s+/)
    .filter((text) => text !== '')
    .map(Number)
