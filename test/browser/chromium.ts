import { existsSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import { skipBecause } from '../skips.ts'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const EXECUTABLE = PLACES.find((path) => existsSync(path))

/** For the condition of `describe.skipIf`. */
export const hasNoChromium =
  EXECUTABLE === undefined && skipBecause('the dashboard in a browser', 'apt-get install chromium')

export type Look = { theme?: 'light' | 'dark'; width?: number; height?: number }
/** `cookies`: what the browser has been given before, by name. */
export type OpenedAs = Look & { cookies?: ReadonlyMap<string, string> }

export type Browser = {
  /** A page of its own: no cookie or stored thing of another. What went wrong in it is gathered in `faults`. */
  open(address: string, as?: OpenedAs): Promise<{ page: Page; faults: string[] }>
  close(): Promise<void>
}

export async function openBrowser(): Promise<Browser> {
  // Each launch has a profile of its own, which goes with it.
  const server = await chromium.launch({ executablePath: EXECUTABLE!, args: FLAGS })
  return {
    async open(address, { theme = 'light', width = 1280, height = 860, cookies = new Map() } = {}) {
      const context = await server.newContext({
        colorScheme: theme,
        viewport: { width, height },
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        hasTouch: width < 640,
        isMobile: width < 640,
      })
      await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: address })))
      const page = await context.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        // A refused request is what many tests are about; a refused script or style never is.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          faults.push(message.text())
      })
      await page.goto(address)
      return { page, faults }
    },
    async close() {
      await server.close()
    },
  }
}
