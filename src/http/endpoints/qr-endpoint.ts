import { shownKey } from '../../links/link.ts'
import { z } from '@hono/zod-openapi'
import { findLink } from '../../links/find-link.ts'
import { qrStyle } from '../../links/qr-style/qr-style.ts'
import type { QrVerdict } from '../../qr/qr-verdict.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'

/** Of the SVG, in pixels. The browser scales it to any size. */
const SIZE = 1024

/** Draws a style that is not stored, and says whether it can be read. */
export const qrEndpoint = endpoint({
  route: 'POST /links/{short_code}/qr',
  who: 'session',
  role: 'links:read',
  input: body(qrStyle),
  answer: {
    message: 'QR code drawn; nothing was stored.',
    data: z.strictObject({ svg: z.string(), verdict: z.custom<QrVerdict>() }),
  },
  find: ({ deps, caller, key }) => findLink({ db: deps.readDb }, caller, key),
  async run({ caller, key, input: design }, { db, domains, qrDrawer }) {
    const shortUrl = domains.shortUrlOf(shownKey(await findLink({ db }, caller, key)))
    return { data: await qrDrawer.preview(caller.workspaceId, { shortUrl, design, size: SIZE }) }
  },
})
