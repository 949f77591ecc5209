import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { becomes, until } from '../../../test/rigs/eventually.ts'
import { START_US, useClickStore } from '../../../test/rigs/clicks/click-store-rig.ts'
import { startScript } from '../../../test/rigs/program/run-script.ts'
import { manualClock } from '../../runtime/clock.ts'

const store = useClickStore()

test('no process runs before the first call, and none after some minutes without one', async () => {
  const { rig } = store
  rig.engine = rig.newEngine({ idleMs: 100 })
  const before = engines()
  rig.add([{}, {}])
  expect(await rig.total()).toBe(2)
  expect(engines()).toHaveLength(before.length + 1)
  await becomes(engines, before)
  expect(await rig.total()).toBe(2)
  expect(rig.logged).toEqual([])
})

test('calls that are made together each get their own answer', async () => {
  const { rig } = store
  rig.add([{ country: 'DE' }, { country: 'FR' }, { country: 'FR' }])
  const clicksIn = async (country: string) => {
    const { groups } = await rig.query({
      filters: { country: { values: [country] } },
      groups: [{ by: [] }],
    })
    return groups[0]![0]!.clicks
  }
  const countries = Array.from({ length: 40 }, (_, i) => ['DE', 'FR', 'US'][i % 3]!)
  const answers = await Promise.all(countries.map(clicksIn))
  expect(answers).toEqual(countries.map((country) => ({ DE: 1, FR: 2, US: 0 })[country]!))
})

test('a killed process fails its calls, is away for a growing time, and then answers again', async () => {
  const { rig } = store
  const clock = manualClock(START_US)
  rig.engine = rig.newEngine({ clock })
  rig.add([{}])
  for (const delayUs of [1_000_000, 2_000_000]) {
    const before = engines()
    const calls = Promise.allSettled(Array.from({ length: 5 }, () => rig.total()))
    const started = () => engines().filter((each) => !before.includes(each))
    // Its command line is that of this process for a moment.
    await until(() => started().length > 0)
    const [pid] = started()
    process.kill(pid!, 'SIGKILL')
    for (const call of await calls)
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'away' } })
    await expect(rig.total()).rejects.toMatchObject({ code: 'away' })
    clock.advance(delayUs - 1_000)
    await expect(rig.total()).rejects.toMatchObject({ code: 'away' })
    clock.advance(1_000)
  }
  expect(await rig.total()).toBe(1)
  expect(rig.logged).toEqual(Array(2).fill('The click engine ended and will be restarted.'))
})

test('where DuckDB has no binary, this is a value for the owner and an error for callers', async () => {
  const { rig } = store
  expect(await rig.engine.isSupported()).toBe(true)
  const engine = rig.newEngine({ command: ['sh', '-c', 'exit 69'] })
  expect(await engine.isSupported()).toBe(false)
  expect(await engine.isSupported()).toBe(false)
  await expect(engine.call('closeClicks', { upToId: 0 })).rejects.toMatchObject({ code: 'unsupported' })
  expect(rig.logged).toEqual([])
})

test('a process that does not get ready is ended, and its calls fail', async () => {
  const engine = store.rig.newEngine({ command: ['sleep', '100'], startMsMax: 200 })
  await expect(engine.call('closeClicks', { upToId: 0 })).rejects.toMatchObject({ code: 'away' })
  await engine.close()
})

test('a query that cannot be interrupted ends with its process', async () => {
  const { rig } = store
  rig.engine = rig.newEngine({ overtimeMs: 500 })
  const name = '2026-04-20-0193b1c0-0000-7000-8000-000000000000.parquet'
  rig.database.run(
    `INSERT INTO click_files (name, from_us, to_us, rows, sha256) VALUES ('${name}', 0, 1, 1, '')`,
  )
  // Opening it waits for a writer.
  expect(Bun.spawnSync(['mkfifo', join(rig.folder, name)]).exitCode).toBe(0)
  const query = { fromUs: 0, toUs: 1, groups: [{ by: [] }] }
  await expect(rig.engine.call('query', { query, msMax: 2_000 })).rejects.toMatchObject({ code: 'away' })
})

test('the process ends with the one that has started it, in the middle of work', async () => {
  const { rig } = store
  await rig.close()
  const owner = startScript('engine-owner.script.ts', rig.dataDir)
  const reader = owner.stdout.getReader()
  const pid = Number(new TextDecoder().decode((await reader.read()).value))
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  owner.kill('SIGKILL')
  await becomes(() => existsSync(`/proc/${pid}`), false)
  store.rig = await rig.reopened()
})

/** Processes that this one has started. */
const engines = () => store.rig.engineProcesses()
