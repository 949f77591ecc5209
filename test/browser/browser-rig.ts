import { afterEach, beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import type { ServiceOptions } from '../../src/cli/service/open-service.ts'
import { type DashboardRig, type TestUser, startDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { freePort } from '../rigs/free-port.ts'
import { useRig } from '../rigs/use-rig.ts'
import { type Look, openBrowser, type Visitor } from './chromium.ts'

/** A whole service with its mail server, and a browser that opens its pages. */
export type BrowserRig = DashboardRig & {
  /** A page of /dashboard in a browser that has never been here, or in one where a user has signed in. */
  open(path?: string, options?: OpenOptions): Promise<Page>
  /** What went wrong in the pages since the last call; nothing should. */
  takeFaults(): string[]
  /** Those that are open are needed until the end. */
  keepPages(): void
  /** The others are needed no longer. */
  recyclePages(): Promise<void>
}
type OpenOptions = Look & { user?: TestUser; visitor?: Visitor }

/** For the tests of a suite. After each, the pages that it opened go to the next ones, and nothing may have gone wrong in any page. */
export function useBrowserRig(start: () => Promise<BrowserRig> = startBrowserRig): BrowserRig {
  const rig = useRig(start)
  // What is opened before all tests is there for all of them.
  beforeEach(() => rig.keepPages())
  afterEach(async () => {
    // What leaving a page breaks off is no fault of it.
    const faults = rig.takeFaults()
    await rig.recyclePages()
    rig.takeFaults()
    expect(faults).toEqual([])
  })
  return rig
}

/** Of rigs that have stopped. With the same origin, the pages of the next one find what Chromium has loaded and compiled. */
const freedPorts: number[] = []

export async function startBrowserRig(
  settings: Record<string, string> = {},
  options?: ServiceOptions,
): Promise<BrowserRig> {
  const ownPort = settings.PORT === undefined ? (freedPorts.pop() ?? freePort()) : undefined
  const service = await startDashboardRig(
    { ...(ownPort !== undefined && { PORT: String(ownPort) }), ...settings },
    options,
  )
  const { baseUrl, port } = service.config
  const { hostname, port: portOfUrls } = new URL(baseUrl)
  const browser = await openBrowser(portOfUrls === String(port) ? undefined : { hostname, port })
  const kept: Page[] = []
  const pages: Page[] = []
  const recycle = async (idle: Page[]) => {
    for (const page of idle) await browser.recycle(page)
  }
  return {
    ...service,
    async open(path = '/', { user, visitor, ...look } = {}) {
      const { cookies, ip } = user?.browser ?? service.browser()
      const page = await browser.open(`${baseUrl}/dashboard${path}`, { ...look, cookies, ip, ...visitor })
      pages.push(page)
      return page
    },
    takeFaults: browser.takeFaults,
    keepPages: () => void kept.push(...pages.splice(0)),
    recyclePages: () => recycle(pages.splice(0)),
    async stop() {
      await recycle([...kept, ...pages])
      await browser.close()
      await service.stop()
      if (ownPort !== undefined) freedPorts.push(ownPort)
    },
  }
}

/** What moved in the page by itself since it was opened, as the browser saw it: the place and how far. */
export const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().flatMap(describe))).observe({
          type: 'layout-shift',
          buffered: true,
        })
        // Without any shift the observer is never called.
        setTimeout(() => resolve([]), 500)
        const describe = ({ sources }: any): string[] =>
          sources.map(({ node, previousRect, currentRect }: any) =>
            [node?.className, previousRect.y, currentRect.y].join(' '),
          )
      }),
  )

/** By how many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    // Less is no fault: where no scroll bar is needed, its place is kept.
    return Math.max(0, scrollWidth - clientWidth)
  })
