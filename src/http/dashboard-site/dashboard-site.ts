import type { Hono } from 'hono'
import type { AppEnv } from '../dispatch/app-context.ts'
import { methodNotAllowedResponse } from '../responses/envelope.ts'
import type { BuiltDashboard } from './built-dashboard.ts'
import type { PackedFile, SignedInPage } from './compressed-file.ts'
import { etagOf, type ServedBodies, type ServedFile, serveFile } from '../responses/served-file.ts'

const PAGE = '/dashboard/'
const SIGNED_IN_PAGE: SignedInPage = '/dashboard/#signed-in'
const ASSETS = '/dashboard/assets/'
/** Hosts are part of these paths. */
const WITH_HOSTS = ['/dashboard/domains/', '/dashboard/links/']
const API = '/dashboard/api/'

type DashboardSite = {
  dashboard: BuiltDashboard
  /** A browser with these cookies, which has a session, has opened a page. The page asks for reports next. */
  onPage(cookies: string): void
}

/** The dashboard's page and its files. The page's script does the routing. */
export function addDashboard(app: Hono<AppEnv>, { dashboard, onPage }: DashboardSite): void {
  const files = servedFiles(dashboard)
  app.all('/dashboard/*', async (context, next) => {
    const { path, method } = context.req
    if (path.startsWith(API) || path === API.slice(0, -1)) return next()
    const byPath = await files()
    const cookies = context.req.header('cookie') ?? ''
    const hasSession = HAS_SESSION.test(cookies)
    const file = isPage(path) ? pageFor(byPath, path, hasSession) : byPath.get(path)
    if (file === undefined) return next()
    if (method !== 'GET') return methodNotAllowedResponse(context, ['GET', 'HEAD'])
    if (hasSession && isPage(path)) onPage(cookies)
    return serveFile(context, file)
  })
}

/** Files have a dot, and a missing file must not get a page as response. Of pages, only those with a host have one. */
const isPage = (path: string) =>
  WITH_HOSTS.some((start) => path.startsWith(start)) || (!path.startsWith(ASSETS) && !path.includes('.'))

const HAS_SESSION = /(^|;\s*)(__Host-)?session=/

/** A browser with a session cookie gets the shell, others the sign-in page. The script checks the session. */
function pageFor(
  files: ReadonlyMap<string, ServedFile>,
  path: string,
  hasSession: boolean,
): ServedFile | undefined {
  if (!hasSession) return files.get(PAGE)
  const segment = path.slice(PAGE.length).split('/')[0]!
  const preloading: SignedInPage = `${SIGNED_IN_PAGE}/${segment}`
  return files.get(preloading) ?? files.get(SIGNED_IN_PAGE)
}

/** Decoded once per build. */
function servedFiles(built: BuiltDashboard): () => Promise<Map<string, ServedFile>> {
  let site: { from: readonly PackedFile[]; byPath: Map<string, ServedFile> } | undefined
  return async () => {
    const from = await built.files()
    if (site?.from !== from) site = { from, byPath: new Map(from.map((file) => [file.path, unpack(file)])) }
    return site.byPath
  }
}

function unpack({ path, contentType, identity, br, gzip }: PackedFile): ServedFile {
  const bytes = Uint8Array.fromBase64(identity)
  const bodies: ServedBodies = { identity: new Blob([bytes]) }
  if (br !== undefined) bodies.br = new Blob([Uint8Array.fromBase64(br)])
  if (gzip !== undefined) bodies.gzip = new Blob([Uint8Array.fromBase64(gzip)])
  const file = { contentType, etag: etagOf(bytes), bodies }
  // File names contain the hash of the content.
  if (path.startsWith(ASSETS)) return { ...file, cacheControl: 'public, max-age=31536000, immutable' }
  return { ...file, cacheControl: 'no-cache', dependsOn: 'Cookie' }
}
