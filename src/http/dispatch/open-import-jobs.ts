import { join } from 'node:path'
import type { Caller } from '../../access/caller.ts'
import { isStillAllowed } from '../../workspaces/is-still-allowed.ts'
import type { ServerDeps } from './server-deps.ts'

/** Files are there only while an import reads them. */
const FOLDER = 'imports'

/** Begins to run imports, with all that a request to import links has. */
export const openImportJobs = (deps: ServerDeps): Promise<void> => {
  const { config, importJobs, importClient: client } = deps
  const isOnlyNode = config.databaseUrl === undefined
  const mayImport = (caller: Caller) => isStillAllowed(deps.readDb, caller, 'links:write')
  return importJobs.open({ ...deps, client, mayImport, folder: join(config.dataDir, FOLDER) }, isOnlyNode)
}
