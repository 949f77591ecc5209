/**
 * Several processes on one PostgreSQL: what a redirect, a look-up, a creation and a counted click cost each side, with
 * 1, 2 and 4 processes (`tern serve`, and `tern serve --workers` on one port); and how many queries a call of the API
 * takes. Load, Tern and PostgreSQL share the machine and nothing is pinned, so what a second holds says little: the
 * processor time of each side for one operation is what carries over to other machines.
 *
 *   npm run bench:scale-out                  3 rounds of 3 seconds for each load, 300,000 links, 200,000 clicks
 *   ROUNDS=1 SECONDS=1 LINKS=30000 CLICKS=40000 npm run bench:scale-out
 */
import { transact } from '../src/store/transact.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts'
import { raiseIds } from '../src/store/engine-sql.ts'
import { asAnother, type OperatedFolder, operateFolder } from '../test/rigs/program/operated-folder.ts'
import { apiQueries } from './scale-out/api-queries.ts'
import { makeLinks } from './rigs/make-links.ts'
import { machine } from './rigs/measure.ts'
import { databaseOf, MeasuredPostgres } from './rigs/measured-postgres.ts'
import { countJournals, type Counting, journalClicks } from './scale-out/scale-out-ingest.ts'
import { type Load, LOOK_UP, scaleOutLoads } from './scale-out/scale-out-loads.ts'
import {
  type Cost,
  type CountingRun,
  type Idle,
  reportCountings,
  reportLoads,
  type Results,
} from './scale-out/scale-out-report.ts'
import { yardsticks } from './scale-out/scale-out-yardsticks.ts'
import { TernProcesses } from './scale-out/tern-processes.ts'
import { runWrk } from './rigs/wrk.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 3)
const LINKS = Number(process.env.LINKS ?? 300_000)
const CLICKS = Number(process.env.CLICKS ?? 200_000)
const PROCESSES = [1, 2, 4]
const WARM_UP_SECONDS = 1
const IDLE_SECONDS = 5
/** What was left to be done behind the answers is done then. */
const AFTER_LOAD_SECONDS = 3
const HOT_LINKS = 1_000
/** Holds the known links, and too few of the others to meet one of them again. */
const CACHE_SIZE = 10_000
const KEYS = 16
/** For counting a backlog, and for a node that is notified of new clicks four times a second. */
const COUNTINGS: Counting[] = [
  ...PROCESSES.map((processes) => ({ processes, batchClicks: 10_000 })),
  { processes: 1, batchClicks: 1_000 },
  { processes: 4, batchClicks: 1_000 },
  { processes: 1, batchClicks: 100 },
]

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const script = join(folder, 'requests.lua')
const postgres = await MeasuredPostgres.start()
try {
  const url = await postgres.makeTables()
  const operated = await operateFolder(join(folder, 'data'), {
    DATABASE_URL: url,
    TRUSTED_PROXIES: '127.0.0.1',
    LINK_CACHE_SIZE: String(CACHE_SIZE),
  })
  await fillTables(url, operated.workspaceId)
  const sizes = { links: LINKS, tables: await postgres.tables(url) }
  const loads = scaleOutLoads({ links: LINKS, hotLinks: HOT_LINKS, keys: await keysOf(operated) })
  const results: Results = { costs: [], idle: [], yardsticks: [], calls: [], sizes }
  for (let round = 0; round < ROUNDS; round++) {
    for (const processes of PROCESSES) await oneRound(operated, { processes, loads }, results)
    results.yardsticks.push(await yardsticks({ postgres, url, folder, script, seconds: SECONDS }))
  }
  const tern = await TernProcesses.start(operated, 1)
  results.calls = await apiQueries({ folder: operated, tern, postgres })
  await tern.stop()
  console.log(`\n${machine()}; ${ROUNDS} rounds of ${SECONDS} s\n`)
  reportLoads(results)
  reportCountings(await allCountings())
} finally {
  await postgres.server.remove()
  rmSync(folder, { recursive: true, force: true })
}

async function fillTables(url: string, workspaceId: number): Promise<void> {
  const store = await openPostgresStore({ url })
  await makeLinks(store, { count: LINKS, ownerOf: () => workspaceId })
  await transact(store.relaxedDb, (tx) => raiseIds(tx, 'links', LINKS))
  await store.close()
  await postgres.server.run('VACUUM ANALYZE', databaseOf(url))
}

async function keysOf(operated: OperatedFolder): Promise<string[]> {
  const keys = [operated.key]
  while (keys.length < KEYS) keys.push((await asAnother(operated, `bench-${keys.length}@example.com`)).key)
  return keys
}

type Round = { processes: number; loads: readonly Load[] }

async function oneRound(
  operated: OperatedFolder,
  { processes, loads }: Round,
  results: Results,
): Promise<void> {
  const tern = await TernProcesses.start(operated, processes)
  try {
    for (const load of loads) results.costs.push({ processes, ...(await costOf(tern, operated, load)) })
    await Bun.sleep(AFTER_LOAD_SECONDS * 1000)
    results.idle.push({ processes, ...(await idleCost(tern, operated)) })
  } finally {
    await tern.stop()
  }
}

async function idleCost(tern: TernProcesses, operated: OperatedFolder): Promise<Omit<Idle, 'processes'>> {
  await postgres.forgetStatements()
  const before = { ternUs: tern.cpuUs(), postgresUs: postgres.cpuUs() }
  await Bun.sleep(IDLE_SECONDS * 1000)
  const [ternUs, postgresUs] = [tern.cpuUs() - before.ternUs, postgres.cpuUs() - before.postgresUs]
  const statements = await postgres.statements(operated.settings.DATABASE_URL!)
  const queries = statements.reduce((sum, { calls }) => sum + calls, 0)
  return { seconds: IDLE_SECONDS, ternUs, postgresUs, queries }
}

async function costOf(
  tern: TernProcesses,
  operated: OperatedFolder,
  load: Load,
): Promise<Omit<Cost, 'processes'>> {
  const { connections } = load
  const run = async (seconds: number) => {
    load.writeScript(script)
    const clicksBefore = await tern.clicks()
    const before = await standOf(tern)
    const result = await runWrk({ port: operated.port, seconds, connections, script })
    load.done(result)
    const visitorsUs = tern.visitorsCpuUs() - before.visitorsUs
    if (load.makesClicks) await tern.hasCounted(clicksBefore + result.requests, connections)
    return { ...result, before, visitorsUs }
  }
  await run(WARM_UP_SECONDS)
  await postgres.forgetStatements()
  const { requests, perSecond, before, visitorsUs } = await run(SECONDS)
  const after = await standOf(tern)
  return {
    name: load.name,
    operations: requests * load.perRequest,
    perSecond: perSecond * load.perRequest,
    visitorsUs,
    ternUs: after.ternUs - before.ternUs,
    postgresUs: after.postgresUs - before.postgresUs,
    walBytes: after.walBytes - before.walBytes,
    questions: load.name === LOOK_UP ? await questionsOf(operated) : undefined,
  }
}

async function standOf(tern: TernProcesses) {
  const walBytes = await postgres.walBytes()
  return { ternUs: tern.cpuUs(), visitorsUs: tern.visitorsCpuUs(), postgresUs: postgres.cpuUs(), walBytes }
}

/** How the look-ups of redirects went to PostgreSQL: rows are links. */
async function questionsOf(operated: OperatedFolder): Promise<{ calls: number; rows: number }> {
  const all = await postgres.statements(operated.settings.DATABASE_URL!)
  const questions = all.filter(({ query }) => /from "links" where "code" in/.test(query))
  const sum = (part: 'calls' | 'rows') => questions.reduce((total, each) => total + each[part], 0)
  return { calls: sum('calls'), rows: sum('rows') }
}

async function allCountings(): Promise<CountingRun[]> {
  const dataDirs = await journalClicks(folder, CLICKS)
  const template = await postgres.makeTables()
  const costs: CountingRun[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const counting of COUNTINGS) {
      costs.push({ ...counting, ...(await countJournals(postgres, counting, { template, dataDirs })) })
    }
  }
  return costs
}
