import type { Browser, CDPSession } from 'playwright-core'

const READY_MS_MAX = 120_000
/** Chromium keeps what it has compiled from the second load on. */
const LOADS_BEFORE = 2
const BETWEEN_LOADS_MS = 1_000
const LOOK = { viewport: { width: 1280, height: 800 }, locale: 'en-US', timezoneId: 'Europe/Berlin' }

export type View = {
  url: string
  /** True in the page once its window shows everything. */
  isShown: string
  /** The cookie of a signed-in user. */
  session?: string
}

export type ViewOptions = {
  /** How many times slower the processor of the page is. */
  slowness: number
  /** What the page loads is in the cache of the browser. */
  isCached?: boolean
}

/** Opens a page in a browser of its own. Gives the ms from the start of the navigation to the frame that shows everything. */
export async function viewPage(
  browser: Browser,
  { url, isShown, session }: View,
  { slowness, isCached = false }: ViewOptions,
): Promise<number> {
  const context = await browser.newContext(LOOK)
  try {
    if (session !== undefined)
      await context.addCookies([{ name: 'session', value: session, url: new URL('/', url).href }])
    const page = await context.newPage()
    await page.addInitScript(reportShown(isShown))
    const debug = await context.newCDPSession(page)
    await debug.send('Runtime.enable')
    await debug.send('Runtime.addBinding', { name: 'reportShown' })
    const load = async () => {
      const shown = nextReport(debug)
      await page.goto(url, { waitUntil: 'commit' })
      return shown
    }
    for (let loads = 0; isCached && loads < LOADS_BEFORE; loads++) {
      await load()
      await Bun.sleep(BETWEEN_LOADS_MS)
    }
    await debug.send('Emulation.setCPUThrottlingRate', { rate: slowness })
    return await load()
  } finally {
    await context.close()
  }
}

/** Looks after changes of the page only, so that looking costs it little. */
const reportShown = (isShown: string) => `{
  let isReported = false
  const report = () => {
    if (isReported || !(${isShown})) return
    isReported = true
    // The message is received after the frame has been drawn.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => reportShown(String(performance.now()))
      port2.postMessage(null)
    })
  }
  new MutationObserver(report).observe(document, { childList: true, subtree: true })
}`

function nextReport(debug: CDPSession): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const timer = setTimeout(() => reject(new Error('The page never showed everything.')), READY_MS_MAX)
  debug.once('Runtime.bindingCalled', ({ payload }) => {
    clearTimeout(timer)
    resolve(Number(payload))
  })
  return promise
}
