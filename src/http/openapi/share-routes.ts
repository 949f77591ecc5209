import { type RouteConfig, z } from '@hono/zod-openapi'
import { SHARE_RANGES } from '../../shares/shared-report.ts'
import { choice } from '../../validation/field-rules.ts'
import { ALWAYS, BUSY, file, JSON_ERROR, own, PAGE, type Responses, withRequestId } from './route-parts.ts'

const SECRET = z.object({
  secret: z.string().openapi({
    description: 'The end of the URL of a shared page.',
    example: 'l7nqKJYI0yO1mCWmpf2Dr2ZbLMOSMnN4HxK3-pVvG1k',
  }),
})
const RANGE = choice(SHARE_RANGES)
  .optional()
  .openapi({ description: 'The time that the page is about; `30d` when absent or unknown.', example: '7d' })

const UNAVAILABLE = 'The server is busy or its database is unavailable; `Retry-After` says when to try again.'

const PAGES: Responses = {
  ...ALWAYS,
  200: { description: 'The page.', content: PAGE },
  404: { description: 'The statistics are not shared: not any more, or never.', content: PAGE },
  422: {
    description: 'There are more clicks in the range than can be added up. A shorter one can be shown.',
    content: PAGE,
  },
  429: { ...BUSY[429]!, content: { ...PAGE, ...JSON_ERROR } },
  503: { ...BUSY[503]!, description: UNAVAILABLE, content: { ...PAGE, ...JSON_ERROR } },
}

const pageRoute: RouteConfig = {
  method: 'get',
  path: '/share/{secret}',
  operationId: 'open_shared_page',
  summary: 'Open shared statistics',
  description: 'A page for humans, at most a minute old; programs use the analytics.',
  request: { params: SECRET, query: z.object({ range: RANGE }) },
  responses: {
    ...PAGES,
    403: { description: 'The page needs a password, which it asks for.', content: PAGE },
  },
}

const formRoute: RouteConfig = {
  method: 'post',
  path: '/share/{secret}',
  operationId: 'enter_shared_page',
  summary: 'Enter the password of shared statistics',
  description:
    'What the form of the page sends: the password, or after it the token that the page has, which opens it for an hour, with a range.',
  request: {
    params: SECRET,
    body: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: z.object({
            password: z.string().optional().openapi({ example: 'open sesame' }),
            token: z.string().optional(),
            range: RANGE,
          }),
        },
      },
    },
  },
  responses: {
    ...PAGES,
    403: {
      description: 'The password is wrong or missing, or another site has sent the form.',
      content: PAGE,
    },
  },
}

const SVG = { 'image/svg+xml': file('image/svg+xml') }

const badgeRoute: RouteConfig = {
  method: 'get',
  path: '/share/{secret}/badge.svg',
  operationId: 'draw_shared_badge',
  summary: 'Draw a badge with the clicks',
  description: 'An image with all clicks so far, at most two minutes old. Pages of every origin may show it.',
  request: { params: SECRET },
  responses: {
    ...ALWAYS,
    200: {
      description: 'The image.',
      headers: own('Cache-Control', '`public, max-age=60`'),
      content: SVG,
    },
    404: {
      description: 'The statistics are not shared, or have a password; the image says so.',
      content: SVG,
    },
    429: { ...BUSY[429]!, content: JSON_ERROR },
    503: { ...BUSY[503]!, description: UNAVAILABLE, content: JSON_ERROR },
  },
}

export const SHARE_ROUTES: RouteConfig[] = [pageRoute, formRoute, badgeRoute].map((route) => ({
  ...route,
  responses: withRequestId(route.responses as Responses),
}))
