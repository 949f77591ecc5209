import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { becomes, eventually } from '../rigs/eventually.ts'
import { startVisits } from '../robustness/driver/load.ts'
import { Tern } from '../robustness/driver/tern.ts'
import { skipBecause } from '../skips.ts'

// Many clients that only hold on (T21): visitors are answered and counted as if they were not there.

const VISITS = 3_000
const CROWD = 2_000
const OPEN_FILES_MAX = 300
/** Of them, for connections. */
const CONNECTION_FILES_MAX = 200
const SPARE_FILES = 20

const canLook = existsSync('/proc/self/fd')

describe.skipIf(!canLook && skipBecause('crowds of slow clients', 'run on Linux'))('a crowd', () => {
  test('of two thousand clients that trickle or never read disturbs nobody and is disconnected', async () => {
    await using tern = await Tern.start()
    await tern.makeLinks('first', 'second', 'third')
    const before = filesOf(tern)
    await using _ = await gather(tern, CROWD)
    expect(filesOf(tern)).toBeGreaterThan(CROWD)
    await expectVisitsCounted(tern)
    const isMissing = (files: number) => files < before + 20
    for (let tries = 0; tries < 3; tries++) await eventually(() => filesOf(tern), isMissing)
    expect(filesOf(tern)).toBeLessThan(before + 20)
  })

  test('that would use every open file is disconnected in favor of clients that send requests', async () => {
    await using tern = await new Tern().prepare()
    tern.nodes[0]!.surroundings = { openFilesMax: OPEN_FILES_MAX }
    await tern.startAll()
    await tern.makeLinks('first', 'second', 'third')
    const files = { before: filesOf(tern), most: 0 }
    using _ = setInterval(() => (files.most = Math.max(files.most, filesOf(tern))), 1)
    await using __ = await gather(tern, CROWD)
    await expectVisitsCounted(tern)
    // More than would fit if the files of those that have gone were not counted back.
    for (let i = 0; i < 150; i++)
      await becomes(async () => JSON.parse((await tern.api('GET', '/api/health')).body).status, 'ok')
    expect(files.most).toBeGreaterThan(files.before + CONNECTION_FILES_MAX / 2)
    // Never all: what the journal and the store open now and then has room.
    expect(files.most).toBeLessThan(OPEN_FILES_MAX - SPARE_FILES)
    const { output } = tern.nodes[0]!.server!
    const warnings = output.split('\n').filter((line) => line.includes('No room for more connections'))
    expect(warnings).toHaveLength(1)
    expect(JSON.parse(warnings[0]!)).toMatchObject({
      level: 'warn',
      files_of_connections: CONNECTION_FILES_MAX,
    })
    expect(output).not.toContain('EMFILE')
  })
})

const filesOf = (tern: Tern) => readdirSync(`/proc/${tern.nodes[0]!.server!.pid}/fd`).length

/** Resolves when all have connected. */
async function gather({ operator }: Tern, size: number): Promise<AsyncDisposable> {
  const script = join(import.meta.dir, 'crowd.script.ts')
  const words = [process.execPath, script, String(operator.port), String(size)]
  const crowd = Bun.spawn(words, { stdout: 'pipe' })
  for await (const _ of crowd.stdout) break
  return crowd
}

async function expectVisitsCounted(tern: Tern): Promise<void> {
  const { tally, redirects } = await (await startVisits(tern, { visitors: 8, visitsMax: VISITS })).finished()
  expect([tally.statuses.size, tally.cut.within, tally.refused]).toEqual([0, 0, 0])
  // A connection may be closed between two requests: browsers send the second one again.
  expect(tally.cut.before).toBeLessThan(VISITS / 500)
  expect(redirects).toBe(VISITS - tally.cut.before)
  await tern.counted(Object.fromEntries(tally.acknowledged))
}
