import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../rigs/eventually.ts'
import { freePort } from '../../rigs/free-port.ts'
import { ServerProcess } from '../../rigs/program/server-process.ts'
import { killNode } from '../driver/faults.ts'
import { expectClicksCounted } from '../driver/invariants.ts'
import { lacks } from '../driver/lacks.ts'
import { startVisits } from '../driver/load.ts'
import { useTern } from '../driver/tern.ts'

const THREE = ['--workers', '3']

describe.skipIf(lacks('several workers of one machine', 'postgresql'))('several workers', () => {
  const tern = useTern({ postgres: {}, options: THREE })

  test('share the port, a killed one is restarted, and all clicks are counted once', async () => {
    await visit(200)
    await expectClicksCounted(tern)
    expect(readdirSync(join(tern.dataDir, 'workers')).toSorted()).toEqual(['1', '2', '3'])
    const [worker] = workers()
    process.kill(worker!, 'SIGKILL')
    await until(() => workers().length === 3 && !workers().includes(worker!))
    await visit(100)
    await expectClicksCounted(tern)
    const { exitCode, output } = await tern.stop()
    expect([exitCode, output.includes('3 workers')]).toEqual([0, true])
  })

  test('fewer workers, or a single process, count what the others have left', async () => {
    await tern.serveWith(...THREE)
    await visit(100)
    // Killed in the midst of it: nothing is counted in order.
    for (const worker of workers()) process.kill(worker, 'SIGKILL')
    await killNode(tern)
    await tern.serveWith()
    await expectClicksCounted(tern)
    await tern.stop()
    const findings = (await tern.findings()).filter(({ check }) => /^(journal|codes)/.test(check))
    expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual(
      ['', ' of worker 1', ' of worker 2', ' of worker 3'].flatMap((place) => [
        [`journal${place}`, 'ok'],
        [`codes${place}`, 'ok'],
      ]),
    )
  })

  test('that outlive the process that started them lose no click to the next start', async () => {
    tern.nodes[0]!.settings.STOP_DELAY = '60s'
    const three = await tern.serveWith(...THREE)
    const orphans = workers()
    await visit(50)
    void killNode(tern)
    await until(() => !isRunning(three.pid))
    const settings = { ...tern.nodes[0]!.settings, PORT: String(freePort()) }
    const next = await ServerProcess.start(settings).catch((error: Error) => error)
    await visit(50)
    for (const worker of orphans) process.kill(worker, 'SIGKILL')
    await three.ended
    if (next instanceof ServerProcess) await next.kill()
    await tern.serveWith()
    await expectClicksCounted(tern)
    expect(String(next)).toContain('is in use by process')
  })

  test('are refused with SQLite, and so is an invalid number', async () => {
    const { DATABASE_URL: _, ...onSqlite } = tern.nodes[0]!.settings
    tern.nodes[0]!.settings = { ...onSqlite, PORT: '0', BASE_URL: 'http://s.example' }
    const refused = await tern.run(['serve', '--workers', '2'])
    expect([refused.exitCode, refused.complaints.trim()]).toEqual([
      1,
      '--workers needs PostgreSQL: set DATABASE_URL, or leave --workers out.',
    ])
    const none = await tern.run(['serve', '--workers', 'many'])
    expect([none.exitCode, none.complaints]).toEqual([1, expect.stringContaining('must be from 1 to 64')])
  })

  /** Each visit over its own connection, so that the system distributes them. */
  async function visit(count: number): Promise<void> {
    for (let visits = 0; visits < count; visits += 10) {
      const load = await startVisits(tern, { visitors: 10, visitsMax: 10 })
      expect((await load.finished()).redirects).toBe(10)
    }
  }

  const workers = () => childrenOf(tern.nodes[0]!.server!.pid)
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
