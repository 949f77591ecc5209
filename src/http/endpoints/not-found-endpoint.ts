import { z } from '@hono/zod-openapi'
import { rangeParameters } from '../../analytics/range-parameters.ts'
import { listNotFound } from '../../links/not-found/list-not-found.ts'
import { isoDay } from '../../runtime/clock.ts'
import { nameParameter } from '../../validation/query-parameters.ts'
import type { ReadingContext } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { type Query, readParameters } from '../requests/query.ts'

const parameters = rangeParameters.pick({ limit: true }).extend({
  domain: nameParameter.optional().meta({
    description: 'A domain of the workspace, by its host. Without it, all of them.',
    example: 'go.example.com',
  }),
})

const notFoundSchema = z
  .strictObject({
    short_code: z.string().openapi({ example: 'wintr' }),
    domain: z.string().openapi({ example: 'go.example.com' }),
    visits: z.int().min(1).openapi({ example: 41 }),
    last_visited_on: z.iso.date().openapi({ description: 'In UTC.', example: '2026-04-20' }),
  })
  .openapi('NotFoundCode')

export const notFoundEndpoint = endpoint({
  route: 'GET /analytics/not-found',
  who: 'both',
  scope: 'analytics:read',
  tag: 'Analytics',
  summary: 'Read which codes lead nowhere',
  description:
    'Codes that visitors opened on domains of the workspace in the last 30 days, and that no link has now: the most visited first. Of a day and domain the first 1,000 are known. On the domain of this server, which others use too, none are.',
  query: {
    schema: parameters,
    read: (query: Query, { deps, caller }: ReadingContext) => {
      const { domain, limit } = readParameters(parameters, query)
      const { workspaceId } = caller!
      return { limit, domainIds: domain === undefined ? undefined : deps.domains.idsFor(workspaceId, domain) }
    },
  },
  answer: {
    message: 'Codes that lead nowhere retrieved.',
    description: 'The codes.',
    data: z.array(notFoundSchema),
  },
  refusals: [422],
  async run({ caller: { workspaceId }, query }, { reportDb, domains }) {
    const codes = await listNotFound(reportDb, { workspaceId, ...query })
    const data = codes.map(({ domainId, code, visits, lastDay }) => ({
      short_code: code,
      domain: domains.hostOf(domainId),
      visits,
      last_visited_on: isoDay(lastDay),
    }))
    return { data }
  },
})
