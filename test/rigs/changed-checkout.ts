import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = dirname(dirname(import.meta.dir))

/** One place in one file. */
export type Change = {
  /** From the root: `src/http/api-thread.ts`. */
  path: string
  /** A part of the file, and what stands there instead. */
  instead: string
  of: string
}

/** A copy of the program and its tests that differs: with a bug, or with a clock or a disk that can be interfered with. */
export function changedCheckout(folder: string, ...changes: Change[]): string {
  for (const name of ['src', 'test', 'dashboard'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'package.json', 'tsconfig.json'])
    symlinkSync(join(ROOT, name), join(folder, name))
  for (const { path, of, instead } of changes) {
    const text = readFileSync(join(folder, path), 'utf8')
    if (!text.includes(of)) throw new Error(`${path} has no longer: ${of}`)
    writeFileSync(
      join(folder, path),
      text.replace(of, () => instead),
    )
  }
  return folder
}
