import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../../..')

/** A replacement in one file. */
export type Change = {
  /** From the root: `src/http/api-server/api-thread.ts`. */
  path: string
  /** A part of the file, and its replacement. */
  instead: string
  of: string
}

/** A copy of the program and its tests with a bug, or with a clock or disk that tests control. */
export function changedCheckout(folder: string, ...changes: Change[]): string {
  for (const name of ['src', 'test', 'dashboard'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isOurs })
  for (const name of ['node_modules', 'package.json', 'tsconfig.json'])
    symlinkSync(join(ROOT, name), join(folder, name))
  // So that it is not built once more if no change is in the dashboard.
  const dist = join(ROOT, 'dist')
  const isDashboard = (path: string) => path === dist || /dashboard-\w+\.json$/.test(path)
  if (existsSync(dist)) cpSync(dist, join(folder, 'dist'), { recursive: true, filter: isDashboard })
  for (const [path, text] of changedTexts(changes)) writeFileSync(join(folder, path), text)
  return folder
}

/** Half a gigabyte is in the packages of `test/clickhouse-engine/`. */
const isOurs = (path: string): boolean => !path.endsWith('/node_modules')

/** The texts of the files that these changes are in. Fails if the program has no longer what they replace. */
export function changedTexts(changes: readonly Change[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { path, of, instead } of changes) {
    const text = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8')
    if (!text.includes(of)) throw new Error(`${path} has no longer: ${of}`)
    texts.set(
      path,
      text.replace(of, () => instead),
    )
  }
  return texts
}
