import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For suites that remove them together with something else. */
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
