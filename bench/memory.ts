/**
 * Memory of the whole process under full load: a million links stored, 50,000 of them asked for again and again by
 * browser-like requests over 64 connections, every click counted.
 *
 *   npm run bench:memory                       10 minutes (and some to make the links)
 *   SECONDS=120 LINKS=100000 npm run bench:memory
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeLargeStore } from './rigs/large-store.ts'
import { codeOfLink } from './rigs/make-links.ts'
import { machine, markdownTable, median, megabytesOf } from './rigs/measure.ts'
import { TernServer } from './rigs/tern-server.ts'
import { runWrk, writeRedirectScript } from './rigs/wrk.ts'

const SECONDS = Number(process.env.SECONDS ?? 600)
const LINKS = Number(process.env.LINKS ?? 1_000_000)
const HOT_LINKS = Math.min(50_000, LINKS)
const CONNECTIONS = 64
const PORT = 18_383
const SAMPLE_SECONDS = Math.min(30, SECONDS / 6)
const TARGET_MB = 160
/** What the last third of the run may need more than the one before it. */
const GROWTH_MAX = 0.03

type Sample = { when: string; residentMb: number; programMb: number; redirects: number }

const folder = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const dataDir = join(folder, 'data')
await makeLargeStore(dataDir, LINKS)
const tern = await TernServer.start({ dataDir, port: PORT })
try {
  const script = join(folder, 'requests.lua')
  const codes = Array.from({ length: HOT_LINKS }, (_, i) => codeOfLink(1 + i * Math.floor(LINKS / HOT_LINKS)))
  writeRedirectScript(script, codes)
  const samples = [sample('after the start', 0)]
  let redirects = 0
  for (let second = SAMPLE_SECONDS; second <= SECONDS; second += SAMPLE_SECONDS) {
    redirects += (await runWrk({ port: PORT, seconds: SAMPLE_SECONDS, connections: CONNECTIONS, script }))
      .requests
    samples.push(sample(`${Math.round(second)} s`, redirects))
  }
  await tern.hasCountedAll()
  const counted = await tern.clicks()
  // wrk leaves up to one request per connection unanswered each time it ends.
  if (counted < redirects || counted > redirects + CONNECTIONS * samples.length)
    throw new Error(`${redirects} redirects, ${counted} counted.`)
  report([...samples, sample('all counted', redirects)])
} finally {
  await tern.stop()
  rmSync(folder, { recursive: true, force: true })
}

function report(samples: readonly Sample[]): void {
  console.log(
    `\n${machine()}; ${LINKS.toLocaleString('en')} links, ${HOT_LINKS.toLocaleString('en')} of them hot, ${CONNECTIONS} connections\n`,
  )
  console.log(
    markdownTable(
      ['time under load', 'resident MB', 'of which the program file', 'redirects so far'],
      samples.map(({ when, residentMb, programMb, redirects }) => [
        when,
        residentMb.toFixed(0),
        programMb.toFixed(0),
        redirects.toLocaleString('en'),
      ]),
    ),
  )
  const residentMb = samples.map((each) => each.residentMb)
  const most = Math.max(...residentMb)
  const third = Math.floor(residentMb.length / 3)
  const growth = median(residentMb.slice(-third)) / median(residentMb.slice(-2 * third, -third)) - 1
  const check = (isMet: boolean) => (isMet ? 'met' : 'missed')
  console.log(
    `\n${markdownTable(
      ['', 'measured', 'target'],
      [
        ['most', `${most.toFixed(0)} MB`, `≤ ${TARGET_MB} MB ${check(most <= TARGET_MB)}`],
        [
          'last third against the one before',
          `${(100 * growth).toFixed(1)} %`,
          `≤ ${100 * GROWTH_MAX} % ${check(growth <= GROWTH_MAX)}`,
        ],
      ],
    )}`,
  )
}

function sample(when: string, redirects: number): Sample {
  const [residentMb, programMb] = [megabytesOf(tern.pid, 'VmRSS'), megabytesOf(tern.pid, 'RssFile')]
  return { when, residentMb, programMb, redirects }
}
