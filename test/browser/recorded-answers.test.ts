import { expect, test } from 'bun:test'
import type { z } from '@hono/zod-openapi'
import { linkAnalyticsSchema, overviewSchema } from '../../src/http/api/analytics-schemas.ts'
import { linkSchema } from '../../src/http/api/link-view.ts'
import * as recorded from './recorded-answers.data.ts'

// Where the API has a shape, the recorded answers have it too: the schemas are those that its own answers are held to.

const faultsOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

test('recorded links are links, with two fields more', () => {
  for (const { is_blocked, clicks_by_day, ...link } of recorded.links) {
    expect([is_blocked, clicks_by_day?.length]).toEqual([false, 30])
    expect(faultsOf(linkSchema, link)).toEqual([])
  }
})

test('the recorded overview is an overview', () => {
  expect(faultsOf(overviewSchema, recorded.overview)).toEqual([])
})

test('recorded analytics are those of a link, with the period before', () => {
  const { previous, ...analytics } = recorded.analyticsOf(30, 420)
  const { id, short_code, short_url, title } = recorded.links[0]!
  expect(Object.keys(previous!)).toEqual(['clicks', 'unique_visitors', 'bot_clicks'])
  expect(faultsOf(linkAnalyticsSchema, { link: { id, short_code, short_url, title }, ...analytics })).toEqual(
    [],
  )
})
