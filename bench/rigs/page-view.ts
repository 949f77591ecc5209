import type { DebuggedBrowser } from './debugged-browser.ts'

/** Chromium keeps what it has compiled from the second load on. */
const LOADS_BEFORE = 2
const BETWEEN_LOADS_MS = 1_000
const LOOK = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false }

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

/**
 * Opens a page with a cache and cookies of its own. Gives the ms from the start of the navigation to the frame that shows everything.
 */
export async function viewPage(
  browser: DebuggedBrowser,
  view: View,
  { slowness, isCached = false }: ViewOptions,
): Promise<number> {
  const context = await browser.send('Target.createBrowserContext')
  try {
    const sessionId = await newPage(browser, view, context)
    const load = async () => {
      const shown = browser.next('Runtime.bindingCalled', sessionId)
      await browser.send('Page.navigate', { url: view.url }, sessionId)
      return Number((await shown).payload)
    }
    for (let loads = 0; isCached && loads < LOADS_BEFORE; loads++) {
      await load()
      await Bun.sleep(BETWEEN_LOADS_MS)
    }
    await browser.send('Emulation.setCPUThrottlingRate', { rate: slowness }, sessionId)
    return await load()
  } finally {
    await browser.send('Target.disposeBrowserContext', context)
  }
}

type Context = { browserContextId: string }

/** Its id. */
async function newPage(
  browser: DebuggedBrowser,
  { url, isShown, session }: View,
  { browserContextId }: Context,
): Promise<string> {
  if (session !== undefined) {
    const cookies = [{ name: 'session', value: session, url: new URL('/', url).href }]
    await browser.send('Storage.setCookies', { browserContextId, cookies })
  }
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
  await browser.send('Page.enable', {}, sessionId)
  await browser.send('Runtime.enable', {}, sessionId)
  await browser.send('Runtime.addBinding', { name: 'reportShown' }, sessionId)
  await browser.send('Page.addScriptToEvaluateOnNewDocument', { source: reportShown(isShown) }, sessionId)
  await browser.send('Emulation.setDeviceMetricsOverride', LOOK, sessionId)
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' }, sessionId)
  return sessionId
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
