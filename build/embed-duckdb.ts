import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BunPlugin } from 'bun'

const PACKAGES = 'node_modules/@duckdb'
const LOADER = 'src/clicks/parquet/load-embedded-addon.ts'

/** Replaces the package that looks for DuckDB's binary by one that has the binary of this platform in the executable. */
export const embedDuckDb = (root: string): BunPlugin => ({
  name: 'embed-duckdb',
  setup(build) {
    build.onResolve({ filter: /^@duckdb\/node-bindings$/ }, ({ path }) => ({ path, namespace: 'embedded' }))
    build.onLoad({ filter: /.*/, namespace: 'embedded' }, async () => ({
      contents: await embeddedModule(root),
      loader: 'js',
    }))
  },
})

async function embeddedModule(root: string): Promise<string> {
  const name = readdirSync(join(root, PACKAGES)).find((each) => each.startsWith('node-bindings-'))
  if (name === undefined)
    return `throw new Error('There is no DuckDB for ${process.platform} on ${process.arch}.')`
  const folder = join(root, PACKAGES, name)
  const { version } = await Bun.file(join(folder, 'package.json')).json()
  const files = readdirSync(folder).filter((file) => /\.(node|so|dylib|dll)$/.test(file))
  const text = JSON.stringify
  return [
    `import { loadEmbeddedAddon } from ${text(join(root, LOADER))}`,
    ...files.map((file, i) => `import file${i} from ${text(join(folder, file))} with { type: 'file' }`),
    `const files = { ${files.map((file, i) => `${text(file)}: file${i}`).join(', ')} }`,
    `export default loadEmbeddedAddon({ main: 'duckdb.node', version: ${text(version)}, files })`,
  ].join('\n')
}
