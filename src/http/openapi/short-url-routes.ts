import { type RouteConfig, z } from '@hono/zod-openapi'
import { errorBody } from '../../errors/error-body.ts'
import { REDIRECT_STATUS, REDIRECT_STATUSES } from '../../links/redirect-status.ts'
import { QR_PARAMETERS } from '../../qr/qr-query.ts'
import { errorSchema } from '../endpoints/schemas.ts'
import { PATH_PARAMETERS, PUBLIC_DOMAIN } from './path-parameters.ts'
import {
  ALWAYS,
  BUSY,
  file,
  JSON_ERROR,
  NOTICE,
  own,
  PAGE,
  type Responses,
  RETRY_AFTER,
  withRequestId,
} from './route-parts.ts'
import { SHARE_ROUTES } from './share-routes.ts'

// What visitors and pages request, without a key and not under /api. These are no endpoints: the redirect server and the site
// answer them.

export const SHORT_URL_TAG = {
  name: 'Short URLs',
  description: 'What visitors open, the QR codes that lead there, and shared statistics. Without an API key.',
}

const CODE = PATH_PARAMETERS.pick({ short_code: true })

const VISITORS_ONLY = JSON.parse(errorBody('visitors_only', 'This link can be opened by visitors only.'))

const REDIRECT = own('Location', 'The destination, of which rules and the visitor’s query can be a part.')

const UNAVAILABLE: Responses = {
  404: {
    description: 'There is no such link, it is disabled, it has not started, or it leads in a circle.',
    content: NOTICE,
  },
  410: {
    description: 'The link has expired, has reached its limit, or has been blocked by the operator.',
    content: NOTICE,
  },
}
const WITH_PASSWORD = {
  description: 'The link needs a password; the page asks for it.',
  content: NOTICE,
}

const redirectsWith = (status: number) => ({
  description: `The same, for a link with \`redirect_status: ${status}\`.`,
  headers: REDIRECT,
})

const openRoute: RouteConfig = {
  method: 'get',
  path: '/{short_code}',
  operationId: 'open_short_url',
  summary: 'Open a short URL',
  description:
    'Redirects and counts a click. The link is that of the code on the host of the request. HEAD redirects without counting. A link with `forward_path` also opens with a path behind its code (`/launch/page/2`), which is added to that of the destination. Errors are pages for browsers (`Accept: text/html`), JSON otherwise.',
  request: { params: CODE },
  responses: {
    200: {
      description:
        'For programs that show previews: the card of the link, or that a link with `max_clicks` can be opened by visitors only.',
      content: { ...PAGE, 'application/json': { schema: errorSchema, example: VISITORS_ONLY } },
    },
    ...Object.fromEntries(REDIRECT_STATUSES.map((status) => [status, redirectsWith(status)])),
    [REDIRECT_STATUS]: { description: 'To the destination.', headers: REDIRECT },
    403: {
      description:
        'The link needs a password, which the page asks for; or it has `max_clicks`, and the request is not a visit, such as a prefetch.',
      content: NOTICE,
    },
    ...UNAVAILABLE,
    ...BUSY,
    ...ALWAYS,
  },
}

const passwordRoute: RouteConfig = {
  method: 'post',
  path: '/{short_code}',
  operationId: 'enter_link_password',
  summary: 'Enter the password of a link',
  description:
    'What the form of the password page sends. It is refused if `Origin` or `Sec-Fetch-Site` say that another site has sent it.',
  request: {
    params: CODE,
    body: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: z.object({ password: z.string().openapi({ example: 'open sesame' }) }),
        },
      },
    },
  },
  responses: {
    303: {
      description: 'Back to the short URL, which then redirects.',
      headers: {
        ...own('Location', 'The path of the short URL.'),
        ...own('Set-Cookie', 'Proof of the password, for this link; absent if none was needed.', false),
      },
    },
    403: {
      description: 'The password is wrong or missing, or another site has sent the form.',
      content: NOTICE,
    },
    405: {
      description: 'There is no such link, or it has no password.',
      headers: own('Allow', 'The methods that the short URL supports.'),
      content: JSON_ERROR,
    },
    ...BUSY,
    ...ALWAYS,
  },
}

const previewRoute: RouteConfig = {
  method: 'get',
  path: '/{short_code}+',
  operationId: 'preview_short_url',
  summary: 'See a preview page of a short URL',
  description:
    'A page that says where the link leads, for humans; programs use `/api/info/{short_code}`. It counts no click. Not found if the workspace has disabled its preview pages.',
  request: { params: CODE },
  responses: withRequestId({
    200: { description: 'The page.', content: PAGE },
    403: WITH_PASSWORD,
    ...UNAVAILABLE,
    ...BUSY,
    ...ALWAYS,
  }),
}

const qrRoute: RouteConfig = {
  method: 'get',
  path: '/qr/{short_code}',
  operationId: 'draw_qr_code',
  summary: 'Draw a QR code',
  description: 'An image of the short URL. Pages of every origin may use it.',
  request: { params: CODE, query: QR_PARAMETERS.extend({ domain: PUBLIC_DOMAIN }) },
  responses: withRequestId({
    ...ALWAYS,
    200: {
      description: 'The image.',
      content: { 'image/svg+xml': file('image/svg+xml'), 'image/png': file('image/png') },
    },
    400: {
      description: 'The URL is not percent-encoded correctly, or the Host header is malformed.',
      content: JSON_ERROR,
    },
    404: { description: 'There is no such link.', content: JSON_ERROR },
    410: { description: 'The operator has blocked the link.', content: JSON_ERROR },
    422: { description: 'A parameter is invalid; `errors` says which.', content: JSON_ERROR },
    429: { ...BUSY[429]!, content: JSON_ERROR },
    503: {
      description: 'The server is busy or its database is unavailable; `Retry-After` says when to try again.',
      headers: RETRY_AFTER,
      content: JSON_ERROR,
    },
  }),
}

export const SHORT_URL_ROUTES: RouteConfig[] = [
  openRoute,
  passwordRoute,
  previewRoute,
  qrRoute,
  ...SHARE_ROUTES,
].map((route) => ({ ...route, tags: [SHORT_URL_TAG.name], security: [] }))
