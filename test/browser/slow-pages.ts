import type { Browser, BrowserContext } from 'playwright-core'

/**
 * `TEST_SLOW_PAGES=4`: pages run a quarter of the time, and their requests take longer. So a quiet machine shows the races of a slow
 * one.
 */
export const SLOWNESS = Number(process.env.TEST_SLOW_PAGES ?? 1)

/** `TEST_SLOW_STEPS=2000`: a test waits two seconds after each step, and misses what the page shows for a shorter time. */
export const STEP_MS = Number(process.env.TEST_SLOW_STEPS ?? 0)

const RUN_MS = 20
const WAY_MS_MORE = 25

/**
 * Stops and continues the processes of pages, until the returned function is called. The browser's own
 * `Emulation.setCPUThrottlingRate` keeps a core busy for each page, also while the page is idle.
 */
export async function pausePages(browser: Browser): Promise<() => Promise<void>> {
  const debug = await browser.newBrowserCDPSession()
  let isOver = false
  const pauseUntilOver = async () => {
    while (!isOver) {
      const { processInfo } = await debug.send('SystemInfo.getProcessInfo')
      const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
      signal(pids, 'SIGSTOP')
      await Bun.sleep(RUN_MS * (SLOWNESS - 1))
      signal(pids, 'SIGCONT')
      await Bun.sleep(RUN_MS)
    }
  }
  const pauses = pauseUntilOver()
  return () => {
    isOver = true
    return pauses
  }
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // The page has been closed.
    }
}

/** The way to the server takes longer, and the way back as well. */
export const delayAnswers = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((ms) => {
    const { fetch } = globalThis
    const delay = () => new Promise((resolve) => setTimeout(resolve, ms))
    globalThis.fetch = Object.assign(async (...request: Parameters<typeof fetch>) => {
      await delay()
      const response = await fetch(...request)
      await delay()
      return response
    }, fetch)
  }, SLOWNESS * WAY_MS_MORE)
