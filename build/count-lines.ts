import { $ } from 'bun'

// Prints how many files and lines of TypeScript a commit has: production code (src and dashboard without tests) by folder, then
// tests with their rigs and benches. `npm run count` counts HEAD, `npm run count -- <commit>` another commit.

type Size = { files: number; lines: number }

const IS_COUNTED = /^(src|dashboard|test|bench)\/.*\.tsx?$/
const IS_TEST = /^(test|bench)\/|\.test\.tsx?$/
/** `src/links`, `dashboard/links`; `src` for files directly in it. */
const folderOf = (path: string) => path.split('/').slice(0, -1).slice(0, 2).join('/')

export async function countLines(commit = 'HEAD'): Promise<{ production: Map<string, Size>; tests: Size }> {
  const listing = await $`git grep --count "" ${commit} -- src dashboard test bench`.text()
  const production = new Map<string, Size>()
  let tests: Size = NOTHING
  for (const entry of listing.trimEnd().split('\n')) {
    const [, path = '', lines = '0'] = /^[^:]+:(.*):(\d+)$/.exec(entry) ?? []
    const file = { files: 1, lines: Number(lines) }
    if (!IS_COUNTED.test(path)) continue
    if (IS_TEST.test(path)) tests = sum(tests, file)
    else production.set(folderOf(path), sum(production.get(folderOf(path)) ?? NOTHING, file))
  }
  return { production, tests }
}

const NOTHING: Size = { files: 0, lines: 0 }
const sum = (one: Size, other: Size) => ({ files: one.files + other.files, lines: one.lines + other.lines })

const row = (name: string, { files, lines }: Size) =>
  `${name.padEnd(28)}${String(files).padStart(6)}${String(lines).padStart(8)}`

if (import.meta.main) {
  const { production, tests } = await countLines(Bun.argv[2])
  console.log(`${'folder'.padEnd(28)} files   lines`)
  for (const [folder, size] of [...production].sort()) console.log(row(folder, size))
  console.log(row('production', [...production.values()].reduce(sum)))
  console.log(row('tests, rigs and benches', tests))
}
