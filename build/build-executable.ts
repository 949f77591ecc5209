import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { buildDashboard } from '../dashboard/build/build-dashboard.ts'
import { embedDuckDb } from './embed-duckdb.ts'

const ROOT = dirname(import.meta.dir)
const MAIN = 'src/cli/main.ts'
/** Nothing imports a thread's file, so each is named to the bundler; who starts one finds it beside itself. */
const THREADS = 'src/**/*-thread.ts'
/** Under such a name `src/http/dashboard-site/built-dashboard.ts` looks for it. */
const DASHBOARD = 'dashboard-embedded.json'

/** What is run, from the root of the checkout: the program first, then its threads. */
export function programFiles(): string[] {
  return [MAIN, ...[...new Glob(THREADS).scanSync(ROOT)].sort()]
}

/**
 * Writes the program with the runtime and all that it reads from files (threads, migrations, pages, the built dashboard,
 * country data) as one file, for machines of the kind that it is built on. The file is there whole or not at all.
 */
export async function buildExecutable(target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const folder = await mkdtemp(join(dirname(target), '.executable-'))
  try {
    const dashboard = join(folder, DASHBOARD)
    await writeFile(dashboard, JSON.stringify(await buildDashboard()))
    const outfile = join(folder, 'tern')
    await compile(outfile, [dashboard])
    await rename(outfile, target)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function compile(outfile: string, assets: string[]): Promise<void> {
  await Bun.build({
    entrypoints: programFiles().map((path) => join(ROOT, path)),
    root: ROOT,
    target: 'bun',
    plugins: [embedDuckDb(ROOT)],
    format: 'esm',
    // What a command does not need is then not read, and the threads share what they have in common.
    splitting: true,
    // Parsed already: a third of the time to the first answer.
    bytecode: true,
    // With names as they are, and a map, the stack of a fault in the log can be read.
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'linked',
    // All in one folder, as `new URL('./x-thread.ts', import.meta.url)` looks there.
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name].[ext]' },
    // What lies in the folder where it is started is not for it to read.
    compile: { outfile, assets, autoloadDotenv: false, autoloadBunfig: false },
  })
}

if (import.meta.main) {
  const target = Bun.argv[2] ?? join(ROOT, 'dist/tern')
  await buildExecutable(target)
  const megabytes = Math.round((await stat(target)).size / 1e6)
  console.log(`${target}: ${megabytes} MB, for ${process.platform} on ${process.arch}`)
}
