import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'

/** What an operator puts aside while the program does not run, and puts back later in place of what is there then. */
export type Copy = { putBack(): void }

export function copyDatabase(dataDir: string, into: string): Copy {
  const path = storePath(dataDir)
  return copyPaths(
    ['', '-wal', '-shm'].map((suffix) => path + suffix),
    into,
  )
}

export function copyJournal(dataDir: string, into: string): Copy {
  return copyPaths([join(dataDir, 'journal')], into)
}

function copyPaths(paths: string[], into: string): Copy {
  const copies = paths.map((path, i) => ({ path, copy: join(into, String(i)), isThere: existsSync(path) }))
  for (const { path, copy, isThere } of copies) if (isThere) cpSync(path, copy, { recursive: true })
  return {
    putBack() {
      for (const { path, copy, isThere } of copies) {
        rmSync(path, { recursive: true, force: true })
        if (isThere) cpSync(copy, path, { recursive: true })
      }
    },
  }
}
