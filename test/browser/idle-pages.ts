import type { Page } from 'playwright-core'

/** Each has a process of its own. */
const IDLE_MAX = 6

export type PageKind = {
  /** Where it waits: for a page of another origin, the browser would take another process. */
  origin: string
  /** What cannot be changed in it later. */
  traits: string
}

/**
 * Pages that no test needs any longer, each the only one of its context, without anything of the test before. Where the app has been
 * loaded before, its next load takes a third of the work, because scripts are in the cache and the process is there.
 */
export class IdlePages {
  readonly #idle: { page: Page; kind: PageKind }[] = []
  readonly #kinds = new Map<Page, PageKind>()

  /** Such a page may be added once it is idle. */
  register(page: Page, kind: PageKind): void {
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

  take({ origin, traits }: PageKind): Page | undefined {
    const at = this.#idle.findIndex(({ kind }) => kind.origin === origin && kind.traits === traits)
    return at === -1 ? undefined : this.#idle.splice(at, 1)[0]!.page
  }

  /** Or closes it, if a test has changed it for good, opened others, or left for another site. */
  async add(page: Page): Promise<void> {
    const kind = this.#kinds.get(page)
    const isAlone = page.context().pages().length === 1
    if (kind !== undefined && isAlone && (await leaves(page, kind.origin))) this.#idle.push({ page, kind })
    else await page.context().close()
    if (this.#idle.length > IDLE_MAX) await this.#idle.shift()!.page.context().close()
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

const leaves = (page: Page, origin: string): Promise<boolean> =>
  leave(page, origin).then(
    () => true,
    () => false,
  )

/** Fails where no page of the service can be opened. */
async function leave(page: Page, origin: string): Promise<void> {
  if (new URL(page.url()).origin !== origin) throw new Error('The page is at another site.')
  const context = page.context()
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  // Of the same origin, or the browser would take another process for the next page.
  await page.goto(`${origin}/robots.txt`)
  await page.mouse.move(0, 0)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await context.clearCookies()
}
