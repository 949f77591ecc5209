import type { Context, Hono } from 'hono'
import { createHash } from 'node:crypto'
import type { AppEnv } from '../answer-endpoint.ts'
import { methodAnswer } from '../envelope.ts'
import type { BuiltDashboard } from './built-dashboard.ts'
import type { PackedFile, SignedInPage } from './packed-file.ts'

/** Best first. */
const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number] | 'identity'

type ServedFile = {
  contentType: string
  etag: string
  bodies: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>
}

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
    return fileAnswer(context, file, path.startsWith(ASSETS))
  })
}

/** Codes have no dot, files have one: a file that is gone must not be answered with a page. */
const isPage = (path: string) => !path.startsWith(ASSETS) && !path.includes('.')

/** Whoever has a session cookie sees the shell at once, others the sign-in page's. Whether it is still good tells the script. */
const pageFor = (cookie = '') => (/(^|;\s*)(__Host-)?session=/.test(cookie) ? SIGNED_IN_PAGE : PAGE)

function fileAnswer(
  context: Context<AppEnv>,
  { contentType, etag, bodies }: ServedFile,
  isNamedByHash: boolean,
) {
  const encoding = chooseEncoding(context.req.header('accept-encoding'), bodies)
  // One strong tag for each form: RFC 9110 §8.8.3.
  const tag = `"${etag}-${encoding}"`
  context.header('ETag', tag)
  context.header('Vary', isNamedByHash ? 'Accept-Encoding' : 'Accept-Encoding, Cookie')
  context.header('Cache-Control', isNamedByHash ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (context.req.header('if-none-match')?.includes(tag)) return context.body(null, 304)
  context.header('Content-Type', contentType)
  if (encoding !== 'identity') context.header('Content-Encoding', encoding)
  return context.body(bodies[encoding]!)
}

/** The best form that the client takes; `;q=0` says that it does not. */
export function chooseEncoding(accepted: string | undefined, bodies: ServedFile['bodies']): Encoding {
  const taken = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((each) => each.replaceAll(/\s/g, ''))
      .filter((each) => !/;q=0(\.0*)?$/.test(each))
      .map((each) => each.replace(/;.*$/, '')),
  )
  return ENCODINGS.find((encoding) => taken.has(encoding) && bodies[encoding] !== undefined) ?? 'identity'
}

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

function unpack({ contentType, identity, br, gzip }: PackedFile): ServedFile {
  const bodies: ServedFile['bodies'] = { identity: Uint8Array.fromBase64(identity) }
  if (br !== undefined) bodies.br = Uint8Array.fromBase64(br)
  if (gzip !== undefined) bodies.gzip = Uint8Array.fromBase64(gzip)
  const etag = createHash('sha256').update(bodies.identity!).digest('base64url').slice(0, 16)
  return { contentType, etag, bodies }
}
