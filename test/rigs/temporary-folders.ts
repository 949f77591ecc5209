import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders for one test each: `afterEach(folders.remove)`. */
export function temporaryFolders() {
  const made: string[] = []
  return {
    make(): string {
      const folder = mkdtempSync(join(tmpdir(), 'tern-test-'))
      made.push(folder)
      return folder
    },
    remove(): void {
      for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
    },
  }
}
