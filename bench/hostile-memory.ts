/**
 * What a request that is refused leaves in memory: the hostile requests of the tests are sent to the program again and
 * again, and its resident memory is read after each round.
 *
 *   npm run bench:hostile-memory
 *   REQUESTS=20000 ROUNDS=20 npm run bench:hostile-memory
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openApi from '../docs/openapi.json'
import { hostileRequest, type HostileRequest } from '../test/hostile/hostile-requests.ts'
import { operationsOf } from '../test/hostile/operations.ts'
import { sendRequests } from '../test/hostile/send-requests.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'
import { TernServer } from './rigs/tern-server.ts'

const REQUESTS = Number(process.env.REQUESTS ?? 5_000)
const ROUNDS = Number(process.env.ROUNDS ?? 10)
const SEED = 1
const PORT = 18_391
const CODES = ['hello', 'victim']

type Round = { refused: number; residentMb: number }

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const tern = await TernServer.start({ dataDir: join(folder, 'data'), port: PORT })
try {
  const links = CODES.map((custom_code) => ({ original_url: 'https://example.com/', custom_code }))
  await tern.createLinks(links)
  const settings = { seed: SEED, key: tern.key, codes: CODES }
  const operations = operationsOf(openApi)
  let requests = Array.from({ length: REQUESTS }, (_, index) =>
    hostileRequest(operations, { ...settings, index }),
  )
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    requests = await refusedOf(requests)
    rounds.push({ refused: requests.length, residentMb: residentMb() })
  }
  report(rounds)
} finally {
  await tern.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Sends all of them; those that were refused, to be sent again. */
async function refusedOf(requests: readonly HostileRequest[]): Promise<HostileRequest[]> {
  const refused: HostileRequest[] = []
  await sendRequests(tern.url, requests, (sent, answer) => {
    if (answer.status >= 400) refused.push(sent)
  })
  return refused
}

function residentMb(): number {
  const status = readFileSync(`/proc/${tern.pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) * 1024) / 1e6
}

function report(rounds: readonly Round[]): void {
  console.log(
    `\n${machine()}; seed ${SEED}, ${REQUESTS} requests, of which the refused ones are sent again\n`,
  )
  const rows = rounds.map(({ refused, residentMb }, i) => [`${i + 1}`, `${refused}`, residentMb.toFixed(1)])
  console.log(markdownTable(['round', 'refused', 'resident MB'], rows))
  // The first rounds fill caches and let the compiler finish.
  const third = Math.floor(rounds.length / 3)
  const [before, last] = [rounds.slice(-2 * third, -third), rounds.slice(-third)].map((some) =>
    median(some.map((round) => round.residentMb)),
  )
  const sent = rounds.slice(-third).reduce((sum, { refused }) => sum + refused, 0)
  const bytes = ((last! - before!) * 1e6) / sent
  console.log(`\nThe last third against the one before: ${bytes.toFixed(0)} bytes a refused request.`)
}
