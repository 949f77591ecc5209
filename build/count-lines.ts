import { $ } from 'bun'

// Prints how many files and lines of production code a commit has, by folder: TypeScript of src and dashboard without tests.
// `npm run count` counts HEAD, `npm run count -- <commit>` another commit.

type Size = { files: number; lines: number }

const IS_COUNTED = /^(src|dashboard)\/.*\.tsx?$/
const IS_TEST = /\.test\.tsx?$/
/** `src/links`, `dashboard/links`; `src` for files directly in it. */
const folderOf = (path: string) => path.split('/').slice(0, -1).slice(0, 2).join('/')

export async function countLines(commit = 'HEAD'): Promise<Map<string, Size>> {
  const listing = await $`git grep --count "" ${commit} -- src dashboard`.text()
  const sizes = new Map<string, Size>()
  for (const entry of listing.trimEnd().split('\n')) {
    const [, path = '', lines = '0'] = /^[^:]+:(.*):(\d+)$/.exec(entry) ?? []
    if (!IS_COUNTED.test(path) || IS_TEST.test(path)) continue
    const size = sizes.get(folderOf(path)) ?? { files: 0, lines: 0 }
    sizes.set(folderOf(path), { files: size.files + 1, lines: size.lines + Number(lines) })
  }
  return sizes
}

const row = (name: string, { files, lines }: Size) =>
  `${name.padEnd(28)}${String(files).padStart(6)}${String(lines).padStart(8)}`

if (import.meta.main) {
  const sizes = await countLines(Bun.argv[2])
  console.log(`${'folder'.padEnd(28)} files   lines`)
  for (const [folder, size] of [...sizes].sort()) console.log(row(folder, size))
  const sum = (one: Size, other: Size) => ({ files: one.files + other.files, lines: one.lines + other.lines })
  console.log(row('production', [...sizes.values()].reduce(sum)))
}
