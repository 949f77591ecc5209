import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { buildDashboard } from '../../dashboard/build/build-dashboard.ts'
import type { BuiltDashboard } from '../../src/http/dashboard/built-dashboard.ts'
import type { PackedFile } from '../../src/http/dashboard/packed-file.ts'
import { type Look, openBrowser } from './chromium.ts'
import { type RecordedServer, startRecordedServer } from './recorded-server.ts'

/** The dashboard in a browser, over a server of recorded answers. */
export type DashboardRig = {
  server: RecordedServer
  /** Another server in the place of the one before, with all answers as recorded. */
  begin(): Promise<void>
  open(path?: string, look?: Look): Promise<Opened>
  stop(): Promise<void>
}
export type Opened = { page: Page; faults: string[] }

const built = new Map<string, Promise<PackedFile[]>>()

/** Built in this process and once for all suites; `page` is an HTML file in dashboard/. */
function builtOnce(page: string): BuiltDashboard {
  return {
    files() {
      if (!built.has(page)) built.set(page, buildDashboard(page))
      return built.get(page)!
    },
    warm() {},
  }
}

export const startDashboardRig = () => startRig('index.html')
/** The page of all parts, under the same headers. */
export const startGalleryRig = () => startRig('gallery/gallery.html')

async function startRig(entry: string): Promise<DashboardRig> {
  const dashboard = builtOnce(entry)
  await dashboard.files()
  const browser = await openBrowser()
  const rig: DashboardRig = {
    server: startRecordedServer(dashboard),
    async begin() {
      await rig.server.stop()
      rig.server = startRecordedServer(dashboard)
    },
    open: (path = '/', look = {}) => browser.open(`${rig.server.url}/dashboard${path}`, look),
    async stop() {
      await browser.close()
      await rig.server.stop()
    },
  }
  return rig
}

const AXE = await Bun.file(createRequire(import.meta.url).resolve('axe-core/axe.min.js')).text()

/** What axe finds wrong with the page as it is now: rule and place. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Through the debugger, which the page's policy does not bind; it binds what the page itself does.
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const axe = (globalThis as any).axe
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }: any) =>
      nodes.map(({ target, failureSummary }: any) => `${id}: ${target.join(' ')} ${failureSummary}`),
    )
  })
}

/** By how many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    // Less is no fault: where no scroll bar is needed, its place is kept.
    return Math.max(0, scrollWidth - clientWidth)
  })
