import type { Hono } from 'hono'
import type { AppEnv } from '../answer-endpoint.ts'
import { methodAnswer } from '../envelope.ts'
import type { BuiltDashboard } from './built-dashboard.ts'
import type { PackedFile, SignedInPage } from './packed-file.ts'
import { etagOf, type ServedFile, serveFile } from '../served-file.ts'

const PAGE = '/dashboard/'
const SIGNED_IN_PAGE: SignedInPage = '/dashboard/#signed-in'
const ASSETS = '/dashboard/assets/'
const API = '/dashboard/api/'

/** The dashboard's page and its files. Which page of it is meant is for its script to see: the paths are its own. */
export function addDashboard(app: Hono<AppEnv>, built: BuiltDashboard): void {
  const files = servedFiles(built)
  app.all('/dashboard/*', async (context, next) => {
    const { path, method } = context.req
    if (path.startsWith(API) || path === API.slice(0, -1)) return next()
    const file = (await files()).get(isPage(path) ? pageFor(context.req.header('cookie')) : path)
    if (file === undefined) return next()
    if (method !== 'GET') return methodAnswer(context, ['GET', 'HEAD'])
    return serveFile(context, file)
  })
}

/** Codes have no dot, files have one: a file that is gone must not be answered with a page. */
const isPage = (path: string) => !path.startsWith(ASSETS) && !path.includes('.')

/** Whoever has a session cookie sees the shell at once, others the sign-in page's. Whether it is still good tells the script. */
const pageFor = (cookie = '') => (/(^|;\s*)(__Host-)?session=/.test(cookie) ? SIGNED_IN_PAGE : PAGE)

/** Decoded once for each build. */
function servedFiles(built: BuiltDashboard): () => Promise<Map<string, ServedFile>> {
  let served: { from: readonly PackedFile[]; byPath: Map<string, ServedFile> } | undefined
  return async () => {
    const from = await built.files()
    if (served?.from !== from)
      served = { from, byPath: new Map(from.map((file) => [file.path, unpack(file)])) }
    return served.byPath
  }
}

function unpack({ path, contentType, identity, br, gzip }: PackedFile): ServedFile {
  const bodies: ServedFile['bodies'] = { identity: Uint8Array.fromBase64(identity) }
  if (br !== undefined) bodies.br = Uint8Array.fromBase64(br)
  if (gzip !== undefined) bodies.gzip = Uint8Array.fromBase64(gzip)
  const file = { contentType, etag: etagOf(bodies.identity), bodies }
  // Files are named by the hash of their content.
  if (path.startsWith(ASSETS)) return { ...file, cacheControl: 'public, max-age=31536000, immutable' }
  return { ...file, cacheControl: 'no-cache', dependsOn: 'Cookie' }
}
