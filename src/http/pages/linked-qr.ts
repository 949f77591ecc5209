import type { Context } from 'hono'
import { couldBeCode } from '../../codes/code-rules.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { Blocks } from '../../links/destinations/blocks.ts'
import { findPublicLink } from '../../links/find-link.ts'
import { qrPng, qrSvg } from '../../qr/draw-qr.ts'
import { parseQrQuery, type QrRequest } from '../../qr/qr-query.ts'
import { parseLinkQrStyle, qrStyle } from '../../links/qr-style/qr-style.ts'
import type { ReadDb } from '../../store/handles.ts'
import { readSetting } from '../../workspaces/settings/read-settings.ts'
import type { AppEnv } from '../dispatch/app-context.ts'
import { type PublicLimitDeps, refuseOverPublicLimit } from '../dispatch/public-limit.ts'
import type { QrDrawer } from '../compute/qr-drawer.ts'
import { refuseBadEncoding } from '../requests/paths.ts'
import { readQuery, textParameter } from '../requests/query.ts'

type QrDeps = PublicLimitDeps & {
  db: ReadDb
  blocks: Blocks
  domains: Domains
  qrDrawer: Pick<QrDrawer, 'draw'>
}

const CONTENT_TYPES = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' }

/** GET /qr/{short_code} */
export async function drawQr(deps: QrDeps, context: Context<AppEnv>, code: string): Promise<Response> {
  refuseOverPublicLimit(deps, context)
  refuseBadEncoding(context.env.target)
  const query = readQuery(context.env.target)
  const domain = textParameter(query, 'domain')
  const { domains } = deps
  const domainId =
    domain === undefined ? domains.idOf(context.req.header('host') ?? '') : domains.servedAt(domain)
  const link = await findPublicLink(deps, { domainId, code: couldBeCode(code) ? code : '' })
  const request = parseQrQuery(query)
  const shortUrl = deps.domains.shortUrlOf(link)
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
