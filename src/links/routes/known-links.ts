import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../runtime/clock.ts'
import type { LinkCache } from './link-cache.ts'
import { type LinkKey, keyText } from '../link-key.ts'
import { decodeRoute, encodeRoute, type LinkRoute } from './link-route.ts'

/** Written, or looked up again, at a time. Redirects run in between. */
const LINKS_AT_ONCE = 500
const CHECK_EVERY_MS = 5_000
/** If this share of the links is new, they are saved at the next check. */
const NEW_SHARE = 0.1
/** Otherwise after a minute, or later if saving takes long. */
const SAVE_EVERY_MS = 60_000
const SAVING_SHARE = 0.02
/** The first line of the file. */
const HEAD = JSON.stringify({ tern_known_links: 2 })

export const knownLinksPath = (dataDir: string): string => join(dataDir, 'known-links.jsonl')

/**
 * The links that this node knew when it last saved them. A node that starts while its database is unavailable redirects
 * these. Once the database answers, they are looked up again and dropped.
 *
 *   loaded ──(the database answers)──▶ empty
 */
export class KnownLinks {
  readonly #links: Map<string, LinkRoute>

  private constructor(links: Map<string, LinkRoute>) {
    this.#links = links
  }

  /** Empty if there is no file, or none that this version can read. */
  static async load(path: string): Promise<KnownLinks> {
    const text = await readFile(path, 'utf8').catch(() => '')
    const [head = '', ...lines] = text.split('\n')
    const links = new Map<string, LinkRoute>()
    if (head !== HEAD) return new KnownLinks(links)
    for (const line of lines) {
      const link = decodeRoute(line)
      if (link !== undefined) links.set(keyText(link), link)
    }
    return new KnownLinks(links)
  }

  get size(): number {
    return this.#links.size
  }

  links(): Iterable<LinkRoute> {
    return this.#links.values()
  }

  get(key: LinkKey): LinkRoute | undefined {
    return this.#links.get(keyText(key))
  }

  drop(): void {
    this.#links.clear()
  }
}

/** Replaces the file. Redirects run in between. */
export async function saveKnownLinks(path: string, links: Iterable<LinkRoute>): Promise<void> {
  const next = `${path}.next`
  const file = await open(next, 'w')
  try {
    let lines = [HEAD]
    for (const link of links) {
      lines.push(encodeRoute(link))
      if (lines.length < LINKS_AT_ONCE) continue
      await file.write(`${lines.join('\n')}\n`)
      lines = []
    }
    if (lines.length > 0) await file.write(`${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}

/** Looks them up again, some at a time, so that the cache is warm and up to date. */
export async function refreshKnownLinks(cache: Pick<LinkCache, 'get'>, known: KnownLinks): Promise<void> {
  const links = [...known.links()]
  known.drop()
  for (let from = 0; from < links.length; from += LINKS_AT_ONCE) {
    await Promise.all(links.slice(from, from + LINKS_AT_ONCE).map(async (link) => cache.get(link)))
  }
}

type LinksToSave = { readonly size: number; links(): Iterable<LinkRoute> }

/** Saves from time to time, and at the end. If saving fails, only a start during an outage is worse off. */
export function keepSaving(
  path: string,
  from: readonly LinksToSave[],
  clock: Pick<Clock, 'monotonicMs'>,
): { stop(): Promise<void> } {
  const count = () => from.reduce((sum, { size }) => sum + size, 0)
  let saved = { count: 0, atMs: clock.monotonicMs(), tookMs: 0 }
  let saving: Promise<void> | undefined
  const save = async () => {
    const began = { count: count(), atMs: clock.monotonicMs() }
    await saveKnownLinks(path, eachOf(from)).catch(() => {})
    const atMs = clock.monotonicMs()
    saved = { count: began.count, atMs, tookMs: atMs - began.atMs }
  }
  const check = () => {
    const isOld = clock.monotonicMs() - saved.atMs >= Math.max(SAVE_EVERY_MS, saved.tookMs / SAVING_SHARE)
    const isNew = count() > saved.count * (1 + NEW_SHARE)
    if (saving === undefined && (isOld || isNew)) saving = save().finally(() => (saving = undefined))
  }
  const timer = setInterval(check, CHECK_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await saving
      await save()
    },
  }
}

/** When the file is read, the last line of a key wins. */
function* eachOf(from: readonly LinksToSave[]): Generator<LinkRoute> {
  for (const some of from) yield* some.links()
}
