import { validated } from '../../errors/field-errors.ts'
import { findLink } from '../../links/find-link.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { drawSvg, layOut } from '../../qr/draw-design.ts'
import { qrStyle } from '../../qr/qr-style.ts'
import { judgeQr } from '../../qr/qr-verdict.ts'
import type { Store } from '../../store/open-store.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

/** Of the SVG, which the browser scales as it likes. */
const WIDTH = 1024

/** Draws a style that is not stored, and says whether it can be read. */
export function qrEndpoint({
  db,
  domains,
}: Pick<Store, 'db'> & { domains: Pick<Domains, 'shortUrlOf'> }): DashboardEndpoint {
  return endpoint('POST /links/{short_code}/qr', 'links:read', async ({ caller, key, input }) => {
    const link = await findLink({ db }, caller, key)
    const design = validated(qrStyle, input)
    const shortUrl = domains.shortUrlOf(link)
    const laidOut = await layOut(shortUrl, design)
    const data = { svg: drawSvg(laidOut, WIDTH), verdict: await judgeQr(shortUrl, laidOut) }
    return { message: 'QR code drawn; nothing was stored.', data }
  })
}
