/**
 * How quickly the dashboard is there and answers, in Chromium with a processor four times slower: the first page of
 * a browser that has never been here, the same page again, and a page with charts and map. Beside it the landing page,
 * which is plain HTML without a script.
 *
 *   npm run bench:dashboard
 */
import type { CDPSession, Page } from 'playwright-core'
import { type BrowserRig, startBrowserRig } from '../test/browser/browser-rig.ts'
import { makeHistory } from '../test/rigs/clicks/click-history.ts'
import type { TestUser } from '../test/rigs/service/dashboard-rig.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SLOWER = 4
/** Of scripts and styles over the wire, for the first page; what the list holds comes on top. */
const KILOBYTES_MAX = 130
const SETTLED_MS = 1_500

type Load = { paintMs: number; shownMs: number; scriptBytes: number; styleBytes: number; allBytes: number }

const rig = await startBrowserRig()
try {
  const user = await rig.user()
  await makeHistory(rig, user)
  const loads = new Map<string, Load[]>()
  const interactions = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++) {
    const one = await oneRound(rig, user)
    // The first one finds nothing compiled, neither here nor in the browser.
    if (round === 0) continue
    for (const [name, load] of Object.entries(one.loads)) loads.set(name, [...(loads.get(name) ?? []), load])
    for (const [name, ms] of Object.entries(one.interactions))
      interactions.set(name, [...(interactions.get(name) ?? []), ms])
  }
  report(loads, interactions)
} finally {
  await rig.stop()
}
process.exit()

async function oneRound(rig: BrowserRig, user: TestUser) {
  const { page } = await rig.open('/../robots.txt', { user })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await session.send('Network.enable')
  const address = (path: string) => `${rig.config.baseUrl}${path}`
  const load = (path: string, word: string) => loadPage({ page, session }, address(path), word)
  const loads = {
    'landing page, no script': await load('/', 'Short addresses'),
    'links, never been here': await load('/dashboard', 'Create link'),
    'links, once more': await load('/dashboard', 'Create link'),
    'overview with chart and map': await load('/dashboard/overview', 'Countries'),
  }
  await load('/dashboard', 'Create link')
  const interactions = {
    'filter the list': await interactionMs(page, () =>
      page.getByText('Disabled', { exact: true }).first().click(),
    ),
    'type in the search': await interactionMs(page, () =>
      page.keyboard.press('/').then(() => page.keyboard.type('map')),
    ),
    'open the help': await interactionMs(page, () =>
      page.keyboard.press('Escape').then(() => page.keyboard.press('?')),
    ),
  }
  await page.context().close()
  return { loads, interactions }
}

async function loadPage(
  { page, session }: { page: Page; session: CDPSession },
  address: string,
  word: string,
): Promise<Load> {
  const types = new Map<string, string>()
  const bytes = { Script: 0, Stylesheet: 0, all: 0 }
  const onResponse = ({ requestId, type }: { requestId: string; type: string }) => types.set(requestId, type)
  const onFinished = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) => {
    const type = types.get(requestId)
    if (type === 'Script' || type === 'Stylesheet') bytes[type] += encodedDataLength
    bytes.all += encodedDataLength
  }
  session.on('Network.responseReceived', onResponse)
  session.on('Network.loadingFinished', onFinished)
  await page.goto(address)
  await page.getByText(word).first().waitFor()
  const shownMs = await page.evaluate(() => performance.now())
  await page.waitForTimeout(SETTLED_MS)
  session.off('Network.responseReceived', onResponse)
  session.off('Network.loadingFinished', onFinished)
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  return { paintMs, shownMs, scriptBytes: bytes.Script, styleBytes: bytes.Stylesheet, allBytes: bytes.all }
}

/** The longest wait between something that the user does and the next picture (Event Timing, as INP takes it). */
async function interactionMs(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const seen = { longest: 0 }
    ;(globalThis as any).seen = seen
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.longest = Math.max(seen.longest, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  await act()
  await page.waitForTimeout(SETTLED_MS)
  return page.evaluate(() => (globalThis as any).seen.longest)
}

function report(
  loads: ReadonlyMap<string, readonly Load[]>,
  interactions: ReadonlyMap<string, readonly number[]>,
): void {
  console.log(`\n${machine()}; Chromium, processor ${SLOWER} × slower; median of ${ROUNDS} rounds\n`)
  const middle = (list: readonly Load[], part: keyof Load) => median(list.map((load) => load[part]))
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
  const rows = [...loads].map(([name, list]) => [
    name,
    middle(list, 'paintMs').toFixed(0),
    middle(list, 'shownMs').toFixed(0),
    kilobytes(middle(list, 'scriptBytes')),
    kilobytes(middle(list, 'styleBytes')),
    kilobytes(middle(list, 'allBytes')),
  ])
  console.log(markdownTable(['page', 'first paint ms', 'usable ms', 'JS kB', 'CSS kB', 'all kB'], rows))
  const list = loads.get('links, never been here')!
  const first = (middle(list, 'scriptBytes') + middle(list, 'styleBytes')) / 1000
  console.log(
    `\nScripts and styles of the first page: ≤ ${KILOBYTES_MAX} kB ${first <= KILOBYTES_MAX ? 'met' : 'missed'}\n`,
  )
  const longest = [...interactions].map(([name, list]) => [name, median(list).toFixed(0)])
  console.log(markdownTable(['what a user does', 'ms to the next picture'], longest))
}
