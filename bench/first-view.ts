/**
 * From opening a page of the dashboard to the frame that shows it with its data, signed in, in Chromium: with an empty cache, and when
 * the browser has been there before. The processor is four times slower than this machine's. The yardstick is a page that only renders
 * a heading with React.
 *
 *   npm run bench:first-view                       7 rounds
 *   ROUNDS=3 SLOWNESS=1 npm run bench:first-view
 *   CHECKOUT=/folder/of/another/version npm run bench:first-view
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/runtime/clock.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { DebuggedBrowser } from './rigs/debugged-browser.ts'
import { serveEmptyPage } from './rigs/empty-page.ts'
import { makeLargeStore } from './rigs/large-store.ts'
import { makeClicks } from './rigs/make-clicks.ts'
import { codeOfLink } from './rigs/make-links.ts'
import { machine, markdownTable, median, medianRatio, need } from './rigs/measure.ts'
import { type View, viewPage } from './rigs/page-view.ts'
import { BENCH_ACCOUNT, TernServer } from './rigs/tern-server.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SLOWNESS = Number(process.env.SLOWNESS ?? 4)
const LINKS = 1_000
const CLICKS = 100_000
const DAYS = 90
const PORT = 18_384
const TARGET_MS = 1_500

const LIST_IS_SHOWN = `document.querySelector('.link-table') && !document.querySelector('.first-rows')`
const CHART_IS_SHOWN = `document.querySelector('.chart canvas') && !document.querySelector('.tiles .skeleton')`
const FIRST_ROWS_ARE_SHOWN = `document.querySelector('.first-rows table, .link-table')`
const PAGES = [
  { name: 'first rows of the list', path: '', isShown: FIRST_ROWS_ARE_SHOWN },
  { name: 'list of links', path: '', isShown: LIST_IS_SHOWN },
  { name: 'a link', path: `links/${codeOfLink(1)}`, isShown: CHART_IS_SHOWN },
  { name: 'overview', path: 'overview', isShown: CHART_IS_SHOWN },
]
const EMPTY = 'empty page with React'

type Times = { emptyCacheMs: number[]; cachedMs: number[] }

const executablePath = need('chromium-headless-shell', 'chromium-headless-shell')
const dataDir = mkdtempSync(join(tmpdir(), 'tern-bench-'))
const emptyPage = await serveEmptyPage()
try {
  await makeData()
  const environment = { BASE_URL: `http://127.0.0.1:${PORT}` }
  const tern = await TernServer.start({ dataDir, port: PORT, environment, checkout: process.env.CHECKOUT })
  try {
    report(await measure(await viewsOf(tern)))
  } finally {
    await tern.stop()
  }
} finally {
  await emptyPage.stop(true)
  rmSync(dataDir, { recursive: true, force: true })
}

async function makeData(): Promise<void> {
  const workspaceId = await makeLargeStore(dataDir, LINKS)
  const store = await openSqliteStore(dataDir, 'same-thread')
  const nowUs = systemClock.nowUs()
  await makeClicks(store, { clicks: CLICKS, links: LINKS, workspaceId, nowUs, days: DAYS })
  await store.close()
}

async function viewsOf({ url }: TernServer): Promise<Map<string, View>> {
  const { email, password } = BENCH_ACCOUNT
  const answer = await fetch(`${url}/dashboard/api/session`, {
    method: 'POST',
    headers: { Origin: url, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const session = /^session=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? '')?.[1]
  if (session === undefined) throw new Error(await answer.text())
  // Waits for the build of the dashboard.
  await (await fetch(`${url}/dashboard/`)).text()
  return new Map<string, View>([
    [EMPTY, { url: emptyPage.url.href, isShown: `document.querySelector('h1')` }],
    ...PAGES.map(({ name, path, isShown }): [string, View] => [
      name,
      { url: `${url}/dashboard/${path}`, isShown, session },
    ]),
  ])
}

/** All views in each round, so that what the machine does to one of them it does to the others. */
async function measure(views: Map<string, View>): Promise<Map<string, Times>> {
  const browser = await DebuggedBrowser.start(executablePath)
  try {
    const times = new Map([...views.keys()].map((name) => [name, newTimes()]))
    // The first round is not counted: the server has to compile, too.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, view] of views) {
        const { emptyCacheMs, cachedMs } = round === 0 ? newTimes() : times.get(name)!
        emptyCacheMs.push(await viewPage(browser, view, { slowness: SLOWNESS }))
        cachedMs.push(await viewPage(browser, view, { slowness: SLOWNESS, isCached: true }))
      }
    }
    return times
  } finally {
    await browser.stop()
  }
}

function newTimes(): Times {
  return { emptyCacheMs: [], cachedMs: [] }
}

function report(times: Map<string, Times>): void {
  const empty = times.get(EMPTY)!
  const cell = (ms: number[], yardstick: number[]) =>
    `${Math.round(median(ms))} (${medianRatio(ms, yardstick).toFixed(1)} ×)`
  console.log(`${machine()}; medians of ${ROUNDS}, in ms (times the empty page), ${SLOWNESS} × slower\n`)
  console.log(
    markdownTable(
      ['', 'empty cache', 'seen before', `target ${TARGET_MS}`],
      [...times].map(([name, { emptyCacheMs, cachedMs }]) => [
        name,
        cell(emptyCacheMs, empty.emptyCacheMs),
        cell(cachedMs, empty.cachedMs),
        median(emptyCacheMs) <= TARGET_MS ? 'met' : 'missed',
      ]),
    ),
  )
}
