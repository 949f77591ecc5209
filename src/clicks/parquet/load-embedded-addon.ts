import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** In the folder of the files. */
const CACHE = 'duckdb.cache'

type Addon = { main: string; version: string; files: Record<string, string> }

/**
 * Loads a native addon whose files are embedded in the executable: the system loads libraries from a disk only, so they are written
 * to the current folder, once for each version.
 */
export function loadEmbeddedAddon({ main, version, files }: Addon): unknown {
  const folder = resolve(CACHE, version)
  mkdirSync(folder, { recursive: true })
  // Those of earlier versions take as much room as the executable.
  for (const other of readdirSync(CACHE))
    if (other !== version) rmSync(resolve(CACHE, other), { recursive: true, force: true })
  for (const [name, embedded] of Object.entries(files)) {
    const path = resolve(folder, name)
    if (existsSync(path)) continue
    // Another process may do the same.
    const unfinished = `${path}.${process.pid}.next`
    writeFileSync(unfinished, readFileSync(embedded))
    renameSync(unfinished, path)
  }
  const loaded = { exports: {} }
  process.dlopen(loaded, resolve(folder, main))
  return loaded.exports
}
