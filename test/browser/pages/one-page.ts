import { afterEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import type { BrowserRig, OpenOptions } from '../browser-rig.ts'

/** Opens one page at a time, and closes it after each test, which fails if anything went wrong in a page. */
export function onePageOf(rig: () => BrowserRig): (path: string, options?: OpenOptions) => Promise<Page> {
  let page: Page | undefined
  let faults: string[][] = []
  const close = async () => {
    await page?.context().close()
    page = undefined
  }
  afterEach(async () => {
    const seen = faults.flat()
    faults = []
    await close()
    expect(seen).toEqual([])
  })
  return async (path, options) => {
    // What closing a page breaks off is no fault of it.
    faults = faults.map((each) => [...each])
    await close()
    const opened = await rig().open(path, options)
    page = opened.page
    faults.push(opened.faults)
    return page
  }
}
