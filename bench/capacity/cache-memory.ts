import { codeOfRank, openRealCache } from './real-cache.ts'
import { defaultKey } from '../../src/links/link-key.ts'

export type CacheMemory = {
  entries: number
  bytesEach: number
  /** A complete collection of the heap that it is in. */
  collectionMs: number
  /** To iterate over all of it once, as happens every five seconds (src/links/routes/known-links.ts). */
  listMs: number
}

/** The memory of a full cache, in its own process. */
export async function cacheMemory(entries: number): Promise<CacheMemory> {
  const child = Bun.spawn([Bun.argv[0]!, import.meta.path, String(entries)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await child.stdout.text()
  if ((await child.exited) !== 0) throw new Error('The cache could not be measured.')
  return JSON.parse(text) as CacheMemory
}

if (import.meta.main) {
  const entries = Number(Bun.argv[2])
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  // Both generations are full then, the last entry not yet in.
  const { cache } = openRealCache(entries)
  for (let rank = 1; rank <= entries; rank++) void cache.get(defaultKey(codeOfRank(rank)))
  Bun.gc(true)
  const bytesEach = (process.memoryUsage.rss() - before) / entries
  const startedMs = performance.now()
  Bun.gc(true)
  const collectedMs = performance.now()
  const listed = [...cache.links()].length
  const listMs = performance.now() - collectedMs
  if (listed !== entries) throw new Error(`${listed} of ${entries} entries.`)
  console.log(JSON.stringify({ entries, bytesEach, collectionMs: collectedMs - startedMs, listMs }))
}
