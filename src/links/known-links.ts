import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { LinkCache, LinkTarget } from './link-cache.ts'

/** So many are written, or looked up again, before visitors have their turn. */
const LINKS_AT_ONCE = 500
const LOOK_EVERY_MS = 5_000
/** When so many of them are new, they are saved at the next look; else after a minute, or more where saving takes long. */
const NEW_SHARE = 0.1
const SAVE_EVERY_MS = 60_000
const SAVING_SHARE = 0.02
const FORMAT = 1

export const knownLinksPath = (dataDir: string): string => join(dataDir, 'known-links.jsonl')

/**
 * Links that this node knew when it last wrote them down. They are good for one thing: a node that starts while its
 * database is away redirects them. Once the database has answered they are looked up anew, and these are dropped.
 *
 *   loaded ──(the database answers)──▶ empty
 */
export class KnownLinks {
  readonly #links: Map<string, LinkTarget>

  private constructor(links: Map<string, LinkTarget>) {
    this.#links = links
  }

  /** None where there is no file, or none that this version can read. */
  static async load(path: string): Promise<KnownLinks> {
    const text = await readFile(path, 'utf8').catch(() => '')
    const [head = '', ...lines] = text.split('\n')
    const links = new Map<string, LinkTarget>()
    if (head !== headLine) return new KnownLinks(links)
    for (const line of lines) {
      const link = readLine(line)
      if (link !== undefined) links.set(link.code, link)
    }
    return new KnownLinks(links)
  }

  get size(): number {
    return this.#links.size
  }

  links(): Iterable<LinkTarget> {
    return this.#links.values()
  }

  get(code: string): LinkTarget | undefined {
    return this.#links.get(code)
  }

  drop(): void {
    this.#links.clear()
  }
}

/** Writes down what the cache knows, in place of what was written before; visitors are answered meanwhile. */
export async function saveKnownLinks(path: string, links: Iterable<LinkTarget>): Promise<void> {
  const next = `${path}.next`
  const file = await open(next, 'w')
  try {
    let lines = [headLine]
    for (const link of links) {
      lines.push(lineOf(link))
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

/** Reads them from the database again, some at a time, so that the cache is warm and right. */
export async function renewKnownLinks(cache: Pick<LinkCache, 'get'>, known: KnownLinks): Promise<void> {
  const codes = [...known.links()].map(({ code }) => code)
  known.drop()
  for (let from = 0; from < codes.length; from += LINKS_AT_ONCE) {
    await Promise.all(codes.slice(from, from + LINKS_AT_ONCE).map(async (code) => cache.get(code)))
  }
}

/** Links that come and go. */
export type LinksToSave = { readonly size: number; links(): Iterable<LinkTarget> }

/** Saves now and then, and at the end. What cannot be saved is no loss but that of a good start while nothing can be asked. */
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
  const look = () => {
    const isOld = clock.monotonicMs() - saved.atMs >= Math.max(SAVE_EVERY_MS, saved.tookMs / SAVING_SHARE)
    const isNew = count() > saved.count * (1 + NEW_SHARE)
    if (saving === undefined && (isOld || isNew)) saving = save().finally(() => (saving = undefined))
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await saving
      await save()
    },
  }
}

/** Later ones count where the file is read. */
function* eachOf(from: readonly LinksToSave[]): Generator<LinkTarget> {
  for (const some of from) yield* some.links()
}

const headLine = JSON.stringify({ tern_known_links: FORMAT })

const lineOf = ({ code, linkId, accountId, href, isOpen, isBlocked }: LinkTarget): string =>
  JSON.stringify([code, linkId, accountId, href, isOpen, isBlocked])

/** Undefined for half a line, or one that was damaged. */
function readLine(line: string): LinkTarget | undefined {
  try {
    const [code, linkId, accountId, href, isOpen, isBlocked] = JSON.parse(line) as unknown[]
    const isWhole =
      typeof code === 'string' &&
      typeof linkId === 'number' &&
      typeof accountId === 'number' &&
      typeof href === 'string' &&
      URL.canParse(href)
    if (!isWhole) return undefined
    return { code, linkId, accountId, href, isOpen: isOpen === true, isBlocked: isBlocked === true }
  } catch {
    return undefined
  }
}
