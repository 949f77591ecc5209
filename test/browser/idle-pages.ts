import type { Page } from 'playwright-core'

/**
 * Pages that no test needs any longer, each the only one of its context, without anything of the test before. Where the app has been
 * loaded before, its next load takes a third of the work, because scripts are in the cache and the process is there.
 */
export class IdlePages {
  readonly #idle: { page: Page; kind: string }[] = []
  readonly #kinds = new Map<Page, string>()

  /** Such a page may be added once it is idle. `kind`: what cannot be changed in it later. */
  register(page: Page, kind: string): void {
    this.#kinds.set(page, kind)
    for (const [owner, name] of lastingChanges(page)) {
      const change = (owner as any)[name]
      Object.assign(owner, {
        [name]: (...words: unknown[]) => {
          this.#kinds.delete(page)
          return change.apply(owner, words)
        },
      })
    }
  }

  take(kind: string): Page | undefined {
    const at = this.#idle.findIndex((idle) => idle.kind === kind)
    return at === -1 ? undefined : this.#idle.splice(at, 1)[0]!.page
  }

  /** Or closes it, if a test has changed it for good, opened others, or left for another site. */
  async add(page: Page): Promise<void> {
    const kind = this.#kinds.get(page)
    const isAlone = page.context().pages().length === 1
    if (kind !== undefined && isAlone && (await leaves(page))) this.#idle.push({ page, kind })
    else await page.context().close()
  }
}

/** What a test may do to a page that outlives its document. */
const lastingChanges = (page: Page) =>
  [
    [page, 'addInitScript'],
    [page, 'exposeFunction'],
    [page.clock, 'install'],
    [page.context(), 'newCDPSession'],
  ] as const

const leaves = (page: Page): Promise<boolean> =>
  leave(page).then(
    () => true,
    () => false,
  )

/** Fails where no page of the service can be opened. */
async function leave(page: Page): Promise<void> {
  const context = page.context()
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  // Of the same origin, or the browser would take another process for the next page.
  await page.goto(new URL('/robots.txt', page.url()).href)
  await page.mouse.move(0, 0)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await context.clearCookies()
}
