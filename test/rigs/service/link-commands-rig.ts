import { openStore } from '../../../src/store/open-store.ts'
import { type OperatedFolder, operateFolder } from '../program/operated-folder.ts'
import { type Ended, runTern, ServerProcess, type Surroundings } from '../program/server-process.ts'
import { temporaryFolders } from '../temporary-folders.ts'
import { documentedFetch } from '../http/documented-fetch.ts'

/** A server, and `tern link` as on another machine: with the URL of the server and a key, and nothing else. */
export type LinkCommandsRig = {
  folder: OperatedFolder
  /** As in BASE_URL. */
  origin: string
  tern(words: string[], surroundings?: Surroundings): Promise<Ended>
  /** What it prints with --json. */
  json(...words: string[]): Promise<any>
  /** A link to https://example.com/<code>. */
  create(code: string, ...options: string[]): Promise<Ended>
  /** Status and Location of the redirect. */
  visit(code: string): Promise<[status: number, location: string | null]>
  stop(): Promise<void>
}

/** `hosts`: domains of the workspace besides that of the server. */
export async function startLinkCommandsRig(hosts: readonly string[] = []): Promise<LinkCommandsRig> {
  const folders = temporaryFolders()
  const folder = await operateFolder(folders.make())
  if (hosts.length > 0) await addDomains(folder, hosts)
  const server = await ServerProcess.start(folder.settings)
  const origin = `http://localhost:${folder.port}`
  const tern = (words: string[], surroundings: Surroundings = {}) =>
    runTern(['link', ...words], { BASE_URL: origin, TERN_API_KEY: folder.key }, surroundings)
  return {
    folder,
    origin,
    tern,
    json: async (...words) => JSON.parse((await tern([...words, '--json'])).output),
    create: (code, ...options) => tern(['create', `https://example.com/${code}`, '--code', code, ...options]),
    async visit(code) {
      const url = `http://127.0.0.1:${folder.port}/${code}`
      const { status, headers } = await documentedFetch(url)
      return [status, headers.get('location')]
    },
    async stop() {
      await server.kill()
      folders.remove()
    },
  }
}

async function addDomains(
  { settings, workspaceId }: OperatedFolder,
  hosts: readonly string[],
): Promise<void> {
  const { db, close } = await openStore(
    { dataDir: settings.DATA_DIR, databaseUrl: settings.DATABASE_URL },
    'same-thread',
  )
  const domain = { workspace_id: workspaceId, created_at: 1, verified_at: 1 }
  await db
    .insertInto('domains')
    .values(hosts.map((host) => ({ ...domain, host, name: host })))
    .execute()
  await close()
}
