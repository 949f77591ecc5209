import { Glob } from 'bun'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder for what each thread of a test run says; what has run is not recorded when it is not set. */
export const COVERAGE_VARIABLE = 'TEST_COVERAGE_FOLDER'

type Range = { startOffset: number; endOffset: number; count: number }
/** What has run of a script, as V8 says it: an inner range overrides the one around it. Offsets are those of the code without types. */
export type Script = { url: string; functions: { ranges: Range[] }[] }

/** Commands run in processes of their own, whose environment is only what a test gives them: nothing is recorded there. */
const UNRECORDED = 'src/cli/'

const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'bun' })

/** Of all characters of code in `src/`, without types, comments and commands, those that have run on any thread that has reported. */
export function coveredShare(root: string, reports: string): number {
  const covered = new CoveredScripts()
  for (const name of readdirSync(reports))
    for (const script of JSON.parse(readFileSync(join(reports, name), 'utf8')) as Script[])
      covered.add(script)
  let [length, run] = [0, 0]
  for (const path of new Glob('src/**/*.ts').scanSync(root)) {
    if (/\.(?:test|d)\.ts$/.test(path) || path.startsWith(UNRECORDED)) continue
    const file = join(root, path)
    const ran = covered.of(pathToFileURL(file).href)
    length += ran?.length ?? transpiler.transformSync(readFileSync(file, 'utf8')).trim().length
    run += ran?.reduce((sum, hasRun) => sum + hasRun, 0) ?? 0
  }
  return run / length
}

/** One byte for each character of each script: 1 if it has run. */
export class CoveredScripts {
  readonly #scripts = new Map<string, Uint8Array>()

  of(url: string): Uint8Array | undefined {
    return this.#scripts.get(url)
  }

  add({ url, functions }: Script): void {
    const ranges = functions.flatMap(({ ranges }) => ranges)
    const ran = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)))
    const lengthOf = ({ startOffset, endOffset }: Range) => endOffset - startOffset
    for (const { startOffset, endOffset, count } of ranges.toSorted((a, b) => lengthOf(b) - lengthOf(a)))
      ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
    const before = this.#scripts.get(url)
    this.#scripts.set(url, before === undefined ? ran : ran.map((hasRun, i) => hasRun | (before[i] ?? 0)))
  }
}
