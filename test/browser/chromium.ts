import { existsSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { closeAtEnd } from '../process-end.ts'
import { skipBecause } from '../skips.ts'
import { addAxe } from './axe.ts'
import { IdlePages, type PageKind } from './idle-pages.ts'
import { delayAnswers, pausePages, SLOWNESS, STEP_MS } from './slow-pages.ts'

/** The first is Chromium without windows and their processes: the tests take less time, and the whole one does as well. */
const EXECUTABLES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/**
 * Threads and a process that have no core to run on beside other tests: without them a page takes a quarter less. Pages are open for
 * seconds, which repays no optimizing compiler: without those it takes another tenth less.
 */
const LITTLE_WORK = ['--js-flags=--single-threaded --no-maglev --no-turbofan', '--in-process-gpu']

/** How long a page may take to show what is waited for, beside other suites. */
const STEP_MS_MAX = 60_000

const EXECUTABLE = EXECUTABLES.find((path) => existsSync(path))

/** For the condition of `describe.skipIf`. */
export const hasNoChromium =
  EXECUTABLE === undefined && skipBecause('the dashboard in a browser', 'apt-get install chromium')

export type Look = { theme?: 'light' | 'dark'; width?: number; height?: number }
/** Who a browser is to a server. `ip`: the network that a proxy says it comes from. */
export type Visitor = { ip?: string; userAgent?: string; locale?: string }
/** `cookies`: what the browser has been given before, by name. */
type OpenedAs = Look & Visitor & { cookies?: ReadonlyMap<string, string> }

export type Browser = {
  /** A page of its own: no cookie or stored thing of another. */
  open(address: string, as?: OpenedAs): Promise<Page>
  /** What went wrong in the pages since the last call. */
  takeFaults(): string[]
  /** Gives a page to a later `open`. */
  recycle(page: Page): Promise<void>
  close(): Promise<void>
}

/** What runs the pages. */
type Chromium = {
  newPage(kind: PageKind, options: object): Promise<Page>
  idlePages: IdlePages
  close(): Promise<void>
}

/** Of all suites of a process: its start and its first load of the app would take longer than most tests. */
let shared: Promise<Chromium> | undefined

function sharedChromium(): Promise<Chromium> {
  shared ??= launchChromium('MAP localhost 127.0.0.1').then((chromium) => {
    closeAtEnd(chromium.close)
    return chromium
  })
  return shared
}

/** `here`: a host name whose pages are served on that port of this machine. Where URLs have the port, one Chromium is enough for all. */
export async function openBrowser(here?: { hostname: string; port: number }): Promise<Browser> {
  const running = await (here === undefined
    ? sharedChromium()
    : launchChromium(`MAP ${here.hostname} 127.0.0.1:${here.port}`))
  const faults: string[] = []
  return {
    async open(address, { cookies = new Map(), ip, userAgent, locale = 'en-GB', ...look } = {}) {
      const { theme = 'light', width = 1280, height = 860 } = look
      const isPhone = width < 640
      const options = {
        locale,
        isMobile: isPhone,
        hasTouch: isPhone,
        ...(userAgent !== undefined && { userAgent }),
      }
      const kind = { origin: new URL(address).origin, traits: JSON.stringify(options) }
      const page = running.idlePages.take(kind) ?? (await running.newPage(kind, options))
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce', media: null })
      const context = page.context()
      await context.setExtraHTTPHeaders(ip === undefined ? {} : { 'X-Forwarded-For': ip })
      // Of the whole site: from a longer address the cookie would take that part of the path.
      const url = new URL('/', address).href
      await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        // A refused request is what many tests are about; a refused script or style never is.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          faults.push(message.text())
      })
      await page.goto(address)
      return page
    },
    takeFaults: () => faults.splice(0),
    recycle: (page) => running.idlePages.add(page),
    close: async () => {
      if (here !== undefined) await running.close()
    },
  }
}

async function launchChromium(hostRules: string): Promise<Chromium> {
  // Each launch has a profile of its own, which goes with it.
  const args = [...CHROMIUM_FLAGS, ...LITTLE_WORK, `--host-resolver-rules=${hostRules}`]
  const server = await chromium.launch({ executablePath: EXECUTABLE!, args, slowMo: STEP_MS })
  const runPages = SLOWNESS > 1 ? await pausePages(server) : undefined
  const idlePages = new IdlePages()
  return {
    idlePages,
    async newPage(kind, options) {
      const context = await server.newContext({ ...CONTEXT, ...options })
      context.setDefaultTimeout(STEP_MS_MAX)
      if (SLOWNESS > 1) await delayAnswers(context)
      await addAxe(context)
      const page = await context.newPage()
      waitForApp(page)
      idlePages.register(page, kind)
      return page
    },
    async close() {
      await runPages?.()
      await server.close()
    },
  }
}

const CONTEXT = {
  timezoneId: 'Europe/Berlin',
  // As in a browser with windows, where the press of a button is enough.
  permissions: ['clipboard-read', 'clipboard-write'],
}

/** Rows that are shown before React has loaded do nothing yet, so each load but one `waitUntil: 'commit'` ends with the app's. */
function waitForApp(page: Page): void {
  const { goto, reload } = page
  const rowsReplaced = async (options?: { waitUntil?: string }) => {
    if (options?.waitUntil !== 'commit') await page.locator('.first-rows').waitFor({ state: 'detached' })
  }
  page.goto = async (url, options) => {
    const response = await goto.call(page, url, options)
    await rowsReplaced(options)
    return response
  }
  page.reload = async (options) => {
    const response = await reload.call(page, options)
    await rowsReplaced(options)
    return response
  }
}
