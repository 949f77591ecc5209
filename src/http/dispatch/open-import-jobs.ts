import { join } from 'node:path'
import type { ServerDeps } from './server-deps.ts'

/** Files are there only while an import reads them. */
const FOLDER = 'imports'

/** Begins to run imports, with all that a request to import links has. */
export const openImportJobs = (deps: ServerDeps): Promise<void> => {
  const { config, importJobs, reached } = deps
  const { reachableIps, reachesAnyPort = false } = reached
  const client = { baseUrl: config.baseUrl, reachableIps, reachesAnyPort }
  const isOnlyNode = config.databaseUrl === undefined
  return importJobs.open({ ...deps, client, folder: join(config.dataDir, FOLDER) }, isOnlyNode)
}
