import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Glob } from 'bun'

/** Everything that the build reads, from the root of the checkout. package.json stands for the packages. */
const SOURCES = ['package.json', 'src/http/pages/{theme.css,favicon.svg}', 'dashboard/**/*']
const NOT_BUILT = /\.test\.tsx?$/
const HASH_CHARS = 16

/** The hash of the sources in the checkout, which names their build. */
export async function sourceHash(root: string): Promise<string> {
  const paths = SOURCES.flatMap((pattern) => [...new Glob(pattern).scanSync(root)])
    .filter((path) => !NOT_BUILT.test(path))
    .sort()
  const texts = await Promise.all(paths.map((path) => Bun.file(join(root, path)).bytes()))
  const hash = createHash('sha256').update(Bun.version)
  paths.forEach((path, at) => hash.update(`\0${path}\0${texts[at]!.length}\0`).update(texts[at]!))
  return hash.digest('hex').slice(0, HASH_CHARS)
}
