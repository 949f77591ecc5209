import { shownKey } from '../../links/link.ts'
import type { Context, Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../runtime/clock.ts'
import { once } from '../../runtime/make-once.ts'
import { errorBody } from '../../errors/error-body.ts'
import type { Blocks } from '../../links/destinations/blocks.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { noticePage } from '../../redirect/notice-pages.ts'
import type { ReadDb } from '../../store/handles.ts'
import type { AppEnv } from '../dispatch/app-context.ts'
import { type PublicLimitDeps, refuseOverPublicLimit } from '../dispatch/public-limit.ts'
import { jsonResponse, methodNotAllowedResponse } from '../responses/envelope.ts'
import type { OpenApiDocument } from './reference/openapi-document.ts'
import { type SiteFile, siteFiles } from './site-files.ts'
import type { ComputeChannel } from '../compute/compute-channel.ts'
import type { QrDrawer } from '../compute/qr-drawer.ts'
import { packFile, serveFile } from '../responses/served-file.ts'
import { couldOpen } from '../../codes/unusual-code.ts'
import { findPublicLink } from '../../links/find-link.ts'
import { qrPng, qrSvg } from '../../qr/draw-qr.ts'
import { parseQrQuery, type QrRequest } from '../../qr/qr-query.ts'
import { parseLinkQrStyle, qrStyle } from '../../links/qr-style/qr-style.ts'
import { readSetting } from '../../workspaces/settings/read-settings.ts'
import { refuseBadEncoding } from '../requests/read-request.ts'
import { readQuery, textParameter } from '../requests/query.ts'

type QrDeps = PublicLimitDeps & {
  db: ReadDb
  blocks: Blocks
  domains: Domains
  qrDrawer: Pick<QrDrawer, 'draw'>
}

const CONTENT_TYPES = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' }

/** GET /qr/{short_code} */
async function drawQr(deps: QrDeps, context: Context<AppEnv>, code: string): Promise<Response> {
  refuseOverPublicLimit(deps, context)
  refuseBadEncoding(context.env.target)
  const query = readQuery(context.env.target)
  const domain = textParameter(query, 'domain')
  const { domains } = deps
  const domainId =
    domain === undefined ? domains.idOf(context.req.header('host') ?? '') : domains.servedAt(domain)
  const link = await findPublicLink(deps, {
    domainId,
    code: couldOpen(code) ? domains.codeOn(domainId, code) : '',
  })
  const request = parseQrQuery(query)
  const shortUrl = deps.domains.shortUrlOf(shownKey(link))
  const picture = request.saved
    ? await inSavedStyle(deps, { link, shortUrl }, request)
    : request.format === 'svg'
      ? qrSvg(shortUrl, request.style)
      : qrPng(shortUrl, request.style)
  context.header('Access-Control-Allow-Origin', '*')
  context.header('Cache-Control', 'no-cache')
  const body = typeof picture === 'string' ? picture : new Uint8Array(picture)
  return context.body(body, 200, { 'Content-Type': CONTENT_TYPES[request.format] })
}

type PublicLink = Awaited<ReturnType<typeof findPublicLink>>

async function inSavedStyle(
  { db, qrDrawer }: Pick<QrDeps, 'db' | 'qrDrawer'>,
  { link, shortUrl }: { link: PublicLink; shortUrl: string },
  { saved, format, style: { size } }: QrRequest,
): Promise<string | Uint8Array> {
  const { workspaceId, options } = link
  const own = saved === 'link' ? parseLinkQrStyle(options.qr_style) : null
  const design = own ?? (await readSetting(db, workspaceId, 'qr_style')) ?? qrStyle.parse({})
  return qrDrawer.draw(workspaceId, { shortUrl, design, format, size })
}

type SiteDeps = PublicLimitDeps & {
  db: ReadDb
  blocks: Blocks
  domains: Domains
  clock: Clock
  config: Config
  compute: ComputeChannel
  qrDrawer: QrDrawer
  openApi(): OpenApiDocument
}

const OPEN_API_FILE = { contentType: 'application/json; charset=utf-8', cacheControl: 'no-cache' }
const REFERENCE_FILE = { contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache' }

/** Everything except the API and the dashboard: API reference, QR codes, landing page, files, and "not found". */
export function addSite(app: Hono<AppEnv>, deps: SiteDeps): void {
  const { compute, config, openApi, clock } = deps
  const { baseUrl } = config
  // Made on first request: each takes as long as the rest of the start.
  const document = once(openApi)
  const openApiFile = once(() => packFile({ ...OPEN_API_FILE, body: JSON.stringify(document()) }))
  const reference = once(async () =>
    packFile({
      ...REFERENCE_FILE,
      body: await compute.run('referencePage', { document: document(), baseUrl }),
    }),
  )
  const files = once(() => servedFiles(siteFiles({ ...config, nowUs: clock.nowUs() })))
  app.get('/api/openapi.json', async (context) => serveFile(context, await openApiFile()))
  app.get('/docs', async (context) => serveFile(context, await reference()))
  app.get('/qr/:code', (context) => drawQr(deps, context, context.req.param('code')))
  for (const path of ['/docs', '/qr/:code']) app.all(path, onlyRead)
  app.all('*', async (context, next) => {
    const file = files().get(context.req.path)
    if (file === undefined) return next()
    return context.req.method === 'GET' ? serveFile(context, await file()) : onlyRead(context)
  })
  app.notFound(notFoundResponse)
}

/** Files are compressed on first request. */
const servedFiles = (files: Map<string, SiteFile>) =>
  new Map([...files].map(([path, file]) => [path, once(() => packFile(file))]))

const onlyRead = (context: Context<AppEnv>) => methodNotAllowedResponse(context, ['GET', 'HEAD'])

/** A page for browsers, JSON for programs. */
function notFoundResponse(context: Context<AppEnv>): Response {
  if (!context.req.header('accept')?.includes('text/html'))
    return jsonResponse(context, { status: 404, body: errorBody('not_found', 'Not found.') })
  return new Response(
    noticePage({
      title: 'No such page',
      sentence: 'There is nothing at this address. It may have been mistyped.',
    }),
    {
      status: 404,
      headers: { ...Object.fromEntries(context.res.headers), 'Content-Type': 'text/html; charset=utf-8' },
    },
  )
}
