import { Glob } from 'bun'
import { dirname } from 'node:path'
import { COVERAGE_VARIABLE } from './coverage/coverage.ts'
import { lacksPostgres } from './rigs/store/postgres-server.ts'
import { QUICK_VARIABLE } from './skips.ts'

/** Test files that one process runs, with variables of its environment. */
export type TestBatch = { files: string[]; variables: Record<string, string> }

/** Other programs, many processes, long series, killed servers, broken machines. */
const THOROUGH = ['robustness', 'thorough', 'simulation', 'hostile']

const ON_BOTH_ENGINES = [
  'test/specification/',
  'test/dashboard-api/',
  'test/security/',
  'test/whole-service.test.ts',
  ...'analytics api-keys audit clicks domains export links operator users workspaces'
    .split(' ')
    .map((name) => `src/${name}/`),
]

/** Enough that a process does not mostly load code, and few enough that the last ones do not run alone for long. */
const FILES_OF_BATCH = 8

/**
 * All test files, the thorough ones first, because they take longest; and on PostgreSQL what has to be the same there. What has run of the code
 * is recorded in `coverageFolder` by those that start few programs.
 */
export function testBatches(isQuick: boolean, coverageFolder: string): TestBatch[] {
  const files = [...new Glob('{src,dashboard,test}/**/*.test.{ts,tsx}').scanSync(dirname(import.meta.dir))]
  const inFolders = (folders: string[]) =>
    folders.flatMap((folder) => files.filter((file) => file.startsWith(folder)).toSorted())
  const thorough = inFolders(THOROUGH.map((folder) => `test/${folder}/`))
  const inBrowser = inFolders(['test/browser/'])
  const others = files.filter((file) => !thorough.includes(file) && !inBrowser.includes(file)).toSorted()
  if (isQuick) return batchesOf(others, FILES_OF_BATCH, { [QUICK_VARIABLE]: '1' })
  const isMissing = lacksPostgres('all that has to be the same on PostgreSQL')
  const onPostgres = isMissing ? [] : inFolders(ON_BOTH_ENGINES)
  return [
    ...batchesOf(thorough, 1),
    // The suites of a process share a browser.
    ...batchesOf(inBrowser, FILES_OF_BATCH),
    ...batchesOf(onPostgres, FILES_OF_BATCH, { TEST_ENGINE: 'postgres' }),
    ...batchesOf(others, FILES_OF_BATCH, { [COVERAGE_VARIABLE]: coverageFolder }),
  ]
}

function batchesOf(files: string[], size: number, variables: Record<string, string> = {}): TestBatch[] {
  const starts = files.map((_, index) => index).filter((index) => index % size === 0)
  return starts.map((start) => ({ files: files.slice(start, start + size), variables }))
}
