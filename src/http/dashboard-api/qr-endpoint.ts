import { validated } from '../../errors/field-errors.ts'
import { findLink } from '../../links/find-link.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { qrStyle } from '../../links/qr-style/qr-style.ts'
import type { QrDrawer } from '../compute/qr-drawer.ts'
import type { Store } from '../../store/open-store.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

/** Of the SVG, in pixels. The browser scales it to any size. */
const SIZE = 1024

/** Draws a style that is not stored, and says whether it can be read. */
export function qrEndpoint({
  db,
  domains,
  qrDrawer,
}: Pick<Store, 'db'> & {
  domains: Pick<Domains, 'shortUrlOf'>
  qrDrawer: Pick<QrDrawer, 'preview'>
}): DashboardEndpoint {
  return endpoint('POST /links/{short_code}/qr', 'links:read', async ({ caller, key, input }) => {
    const link = await findLink({ db }, caller, key)
    const design = validated(qrStyle, input)
    const shortUrl = domains.shortUrlOf(link)
    const data = await qrDrawer.preview(caller.workspaceId, { shortUrl, design, size: SIZE })
    return { message: 'QR code drawn; nothing was stored.', data }
  })
}
