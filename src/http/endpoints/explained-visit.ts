import { z } from '@hono/zod-openapi'
import { invalid } from '../../errors/refusal.ts'
import { readPath } from '../requests/other-visits.ts'
import { choice, time } from '../../validation/field-rules.ts'
import { nameAsRead } from '../../links/rules/compile-rules.ts'
import { clientNames, country } from '../../links/rules/condition-fields.ts'
import type { Domains } from '../../links/domains/domains.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { OwnRoute } from '../../links/routes/own-route.ts'
import { type Explanation, explainRoute, OUTCOMES } from '../../redirect/explain-route.ts'
import { CHECKS, COUNTS_AS, RESULTS } from '../../redirect/explain-steps.ts'
import { VisitFacts } from '../../redirect/visit-facts.ts'

const HEADER_LENGTH_MAX = 1_000
const QUERY_LENGTH_MAX = 4_000

const textUpTo = (max: number) =>
  z
    .string('The :attribute must be a string.')
    .refine(({ length }) => length <= max, `The :attribute may not be greater than ${max} characters.`)
    .meta({ maxLength: max })

const shortUrlPath = textUpTo(QUERY_LENGTH_MAX)
  .refine(
    (path) => readPath(path) !== undefined,
    'The :attribute must start with a slash and be percent-encoded, without segments that are dots.',
  )
  .transform((path) => readPath(path)!)

/** What may be said about a visit that is not there. */
export const explainedVisit = z.object(
  {
    country: country.optional().meta({
      description: 'ISO 3166 alpha-2; unknown when absent.',
      example: 'DE',
      param: { example: 'DE' },
    }),
    user_agent: textUpTo(HEADER_LENGTH_MAX)
      .optional()
      .meta({ description: 'The `User-Agent` header, for device, system and browser.' }),
    language: textUpTo(HEADER_LENGTH_MAX)
      .optional()
      .meta({ description: 'The `Accept-Language` header.', example: 'de-AT,de;q=0.9,en;q=0.8' }),
    at: time.optional().meta({
      description: 'When; now when absent. ISO 8601 with its zone.',
      example: '2026-12-01T09:00:00Z',
    }),
    traffic: choice(['visitor', 'own']).optional().meta({
      description:
        '`own`: from a browser or network that the workspace excludes from its counts; `visitor` when absent.',
      example: 'visitor',
    }),
    query: textUpTo(QUERY_LENGTH_MAX)
      .optional()
      .meta({ description: "The short URL's query, percent-encoded.", example: 'utm_source=news' }),
    path: shortUrlPath.optional().meta({
      description: 'What follows the code, with its slash, of a link with `forward_path`.',
      example: '/page/2',
    }),
  },
  'The :attribute must be an object.',
)

/** The dashboard names the client, instead of making up a User-Agent for it. */
export const editorVisit = explainedVisit.extend({
  device: clientNames.device.optional(),
  os: clientNames.os.optional(),
  browser: clientNames.browser.optional(),
})

export type ExplainedVisit = z.output<typeof editorVisit>

/** Each time for another visitor: a split draws again. Refuses a path of a link that opens without one only. */
export function explain(
  { clock, domains }: { clock: Clock; domains: Pick<Domains, 'get'> },
  { route, opened }: OwnRoute,
  visit: ExplainedVisit,
): Explanation {
  if (visit.path !== undefined && route.options?.forwardsPath !== true)
    throw invalid({ path: ['The link does not open with a path, because forward_path is false.'] })
  const headers: Record<string, string | undefined> = {
    'user-agent': visit.user_agent,
    'accept-language': visit.language,
  }
  const { device, os, browser } = visit
  const parts = Object.entries({ device, os, browser }).flatMap(([part, name]) =>
    name === undefined ? [] : [[part, nameAsRead(name)]],
  )
  const facts = new VisitFacts(
    { query: asSent(visit.query ?? ''), path: visit.path, header: (name) => headers[name] ?? null },
    {
      nowUs: visit.at === undefined ? clock.nowUs : () => visit.at!,
      opens: () => true,
      location: () => ({ country: visit.country?.toUpperCase() ?? '', city: undefined }),
      visitor: () => 0,
      endedUrl: ({ domainId }) => domains.get(domainId)?.expiredUrl ?? null,
      isExhausted: ({ options }) => opened >= options!.maxClicks!,
      client: (read) => ({ ...read, ...Object.fromEntries(parts) }),
    },
  )
  return explainRoute(route, facts, { opened, isOwnTraffic: visit.traffic === 'own' })
}

/** As a browser sends it. */
function asSent(query: string): string {
  const url = new URL('http://localhost/')
  url.search = query
  return url.search.slice(1)
}

const stepSchema = z.strictObject({
  check: z.enum(CHECKS).openapi({ description: 'What was looked at.', example: 'rule' }),
  result: z
    .enum(RESULTS)
    .openapi({ description: '`not_checked`: the decision was made before.', example: 'failed' }),
  rule: z.int().min(1).nullable().openapi({
    description: 'The rule that it is about, counted from 1; null when none.',
    example: 1,
  }),
  condition: z.string().nullable().openapi({
    description: "The rule's first condition that does not hold, by its name in `when`; else null.",
    example: 'country',
  }),
  text: z.string().openapi({ description: 'One sentence.', example: 'Rule 1 does not match.' }),
  detail: z.string().nullable().openapi({
    description: 'More about it; null when there is nothing.',
    example: 'Country is Japan: the visitor is in Germany.',
  }),
})

export const explanationSchema = z
  .strictObject({
    outcome: z.enum(OUTCOMES).openapi({ description: 'What the visitor would meet.', example: 'redirect' }),
    url: z.string().nullable().openapi({
      description: 'Where the visitor would be led; null when nowhere.',
      example: 'https://example.com/de',
    }),
    rule: z.int().min(1).nullable().openapi({
      description: 'The rule that leads there, counted from 1; null when none does.',
      example: 2,
    }),
    variant: z.string().nullable().openapi({
      description:
        '`destination`, `rule 2`, `rule 2/b` (rules and parts by their place) or `fallback` (of the link, or of its domain for links that have ended).',
      example: 'rule 2',
    }),
    counts_as: z.enum(COUNTS_AS).openapi({
      description:
        'What the visit would count as. `bot_click`: a crawler or link preview by its `User-Agent`, counted beside `click_count`. `nothing`: it is not redirected, or comes from a browser or network that the workspace excludes. HEAD and what a browser prefetches count as nothing as well.',
      example: 'click',
    }),
    why: z
      .string()
      .openapi({ description: 'One sentence.', example: 'Rule 2 is the first whose conditions all hold.' }),
    steps: z.array(stepSchema).openapi({
      description: 'The reasons, in the order of the decision. The last one is `why`.',
    }),
  })
  .openapi('Explanation')
