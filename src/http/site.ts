import type { Context, Hono } from 'hono'
import type { Config } from '../config.ts'
import type { Clock } from '../clock.ts'
import { couldBeCode } from '../codes/custom-code.ts'
import { errorBody } from '../error-body.ts'
import type { Blocks } from '../links/blocks.ts'
import { findPublicLink } from '../links/find-link.ts'
import { qrPng, qrSvg } from '../qr/draw-qr.ts'
import { parseQrQuery } from '../qr/qr-query.ts'
import { noticePage } from '../redirect/notice-pages.ts'
import type { Db } from '../store/open-store.ts'
import { type AnswerDeps, type AppEnv, refuseOverPublicLimit } from './answer-endpoint.ts'
import { addressesOf } from './api/link-view.ts'
import { jsonAnswer, methodAnswer } from './envelope.ts'
import type { OpenApiDocument } from './pages/openapi-document.ts'
import { referencePage } from './pages/reference-page.ts'
import { type SiteFile, siteFiles } from './pages/site-files.ts'
import { refuseBadEncoding } from './paths.ts'
import { readQuery } from './query.ts'
import { packFile, serveFile } from './served-file.ts'

type SiteDeps = Pick<AnswerDeps, 'publicLimit' | 'metrics'> & {
  db: Db
  blocks: Blocks
  clock: Clock
  config: Config
  openApi(): OpenApiDocument
}

const OPEN_API_FILE = { contentType: 'application/json; charset=utf-8', cacheControl: 'no-cache' }
const REFERENCE_FILE = { contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache' }

/** What is not the API itself: its description, QR codes, the landing page and its files, and "not found". */
export function addSite(app: Hono<AppEnv>, deps: SiteDeps): void {
  const { config, openApi, clock } = deps
  // Made when somebody asks: each takes as long as all the rest of the start.
  const document = once(openApi)
  const openApiFile = once(() => packFile({ ...OPEN_API_FILE, body: JSON.stringify(document()) }))
  const reference = once(() => packFile({ ...REFERENCE_FILE, body: referencePage(document(), config) }))
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
  app.notFound(notFoundAnswer)
}

async function drawQr(deps: SiteDeps, context: Context<AppEnv>, code: string): Promise<Response> {
  refuseOverPublicLimit(deps, context)
  refuseBadEncoding(context.env.target)
  const link = await findPublicLink(deps, couldBeCode(code) ? code : '')
  const { format, style } = parseQrQuery(readQuery(context.env.target))
  const text = addressesOf(deps.config.baseUrl, link.code).short_url
  context.header('Access-Control-Allow-Origin', '*')
  context.header('Cache-Control', 'no-cache')
  if (format === 'svg')
    return context.body(qrSvg(text, style), 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' })
  return context.body(new Uint8Array(qrPng(text, style)), 200, { 'Content-Type': 'image/png' })
}

/** Each is compressed when somebody first asks for it. */
const servedFiles = (files: Map<string, SiteFile>) =>
  new Map([...files].map(([path, file]) => [path, once(() => packFile(file))]))

const onlyRead = (context: Context<AppEnv>) => methodAnswer(context, ['GET', 'HEAD'])

/** A page for people, the envelope for programs. */
function notFoundAnswer(context: Context<AppEnv>): Response {
  if (!context.req.header('accept')?.includes('text/html'))
    return jsonAnswer(context, 404, errorBody('Not found.'))
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

/** The value of the first call, ever after. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
