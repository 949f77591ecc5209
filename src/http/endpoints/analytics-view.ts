import { z } from '@hono/zod-openapi'
import type { BreakdownRow, SeriesPoint } from '../../analytics/click-counts.ts'
import { countryName } from '../../analytics/country-name.ts'
import type { Overview } from '../../analytics/overview.ts'
import { filterParameters } from '../../analytics/click-filters.ts'
import { GRANULARITIES, rangeParameters } from '../../analytics/range-parameters.ts'
import type { Dimension, WHOLE_DIMENSIONS } from '../../clicks/facts/dimensions.ts'
import { DEVICES } from '../../clicks/visitor/read-user-agent.ts'
import { timestamp } from './schemas.ts'

/** Of which time a report is, and of which clicks. */
export const reportParameters = rangeParameters.extend(filterParameters.shape)

export const workspaceRangeQuery = reportParameters.extend({
  short_code: z.string().optional().openapi({ description: 'One link instead of all.', example: 'launch' }),
  domain: z.string().optional().openapi({
    description:
      'The host of that link: the same code may be on several domains. By default that of the workspace.',
    example: 'go.example.com',
  }),
})

const clicks = () => z.int().min(0).openapi({ example: 120 })
const counts = {
  clicks: clicks(),
  percentage: z.number().openapi({ description: 'Of all clicks of the range, two decimals.', example: 100 }),
}

export const rangeMetaSchema = z
  .strictObject({
    from: timestamp().openapi({ example: '2026-04-14T00:00:00.000000Z' }),
    to: timestamp().openapi({ description: 'Not included.', example: '2026-04-20T12:00:00.000000Z' }),
    granularity: z.enum(GRANULARITIES).openapi({ example: 'day' }),
    timezone: z.string().openapi({ example: 'UTC' }),
    total: clicks().openapi({ description: 'Clicks of the whole range.' }),
  })
  .openapi('RangeMeta')

export const pointSchema = z
  .strictObject({
    date: z.string().openapi({
      description:
        '`2026-04-20` by day, `2026-04` by month, and the start of the hour (`2026-04-20T14:00+02:00`) by hour.',
      example: '2026-04-20',
    }),
    clicks: clicks(),
    unique_visitors: z
      .int()
      .min(0)
      .openapi({ description: 'Distinct per UTC day; several days are their sum.', example: 90 }),
  })
  .openapi('ClicksPoint')

const countrySchema = z
  .strictObject({
    country_code: z
      .string()
      .nullable()
      .openapi({ description: 'ISO 3166 alpha-2; null when unknown.', example: 'DE' }),
    country: z.string().openapi({ example: 'Germany' }),
    ...counts,
  })
  .openapi('CountryClicks')
export type CountryClicks = z.infer<typeof countrySchema>

type Breakdown<Row extends z.ZodType> = {
  dimension: Dimension
  /** What clicks are read by, in the document. */
  by: string
  row: Row
  view(row: BreakdownRow): z.infer<Row>
}

const breakdown = <Row extends z.ZodType>(definition: Breakdown<Row>) => definition

/** Each has an endpoint. */
export const BREAKDOWNS = {
  countries: breakdown({
    dimension: 'country',
    by: 'country',
    row: countrySchema,
    view: ({ value, ...counts }) => ({
      country_code: value === '' ? null : value,
      country: countryName(value),
      ...counts,
    }),
  }),
  devices: breakdown({
    dimension: 'device',
    by: 'device',
    row: z
      .strictObject({ device: z.string().openapi({ enum: [...DEVICES] }), ...counts })
      .openapi('DeviceClicks'),
    view: ({ value, ...counts }) => ({ device: value || 'other', ...counts }),
  }),
  browsers: breakdown({
    dimension: 'browser',
    by: 'browser',
    row: z
      .strictObject({ browser: z.string().openapi({ example: 'Firefox' }), ...counts })
      .openapi('BrowserClicks'),
    view: ({ value, ...counts }) => ({ browser: known(value), ...counts }),
  }),
  operating_systems: breakdown({
    dimension: 'os',
    by: 'operating system',
    row: z
      .strictObject({ operating_system: z.string().openapi({ example: 'Android' }), ...counts })
      .openapi('SystemClicks'),
    view: ({ value, ...counts }) => ({ operating_system: known(value), ...counts }),
  }),
  referrers: breakdown({
    dimension: 'referrer',
    by: 'referrer',
    row: z
      .strictObject({
        referrer: z.string().nullable().openapi({
          description:
            'Host name; null when there was none. `other` stands for all beyond the first 5,000 of a workspace and day.',
          example: 'news.example.org',
        }),
        ...counts,
      })
      .openapi('ReferrerClicks'),
    view: ({ value, ...counts }) => ({ referrer: value || null, ...counts }),
  }),
  languages: breakdown({
    dimension: 'language',
    by: 'language',
    row: z
      .strictObject({
        language: z.string().nullable().openapi({
          description: 'The first one of the browser, without its region; null when unknown.',
          example: 'de',
        }),
        ...counts,
      })
      .openapi('LanguageClicks'),
    view: ({ value, ...counts }) => ({ language: value || null, ...counts }),
  }),
}

const { countries, devices, browsers, operating_systems, referrers } = BREAKDOWNS

const breakdownsOfLink = {
  countries: z.array(countries.row),
  devices: z.array(devices.row),
  browsers: z.array(browsers.row),
  operating_systems: z.array(operating_systems.row),
  referrers: z.array(referrers.row),
}

const namedLink = {
  id: z.int().openapi({ example: 1 }),
  short_code: z.string().openapi({ example: 'launch' }),
  title: z.string().openapi({ example: 'Launch page' }),
}

export const overviewSchema = z
  .strictObject({
    overview: z.strictObject({
      total_links: z.int().openapi({
        description: 'All links, archived ones included, without those in the trash.',
        example: 82,
      }),
      total_clicks: z.int().openapi({ example: 1284 }),
      active_links: z.int().openapi({
        description:
          'Those that lead visitors to their destination now: not disabled, scheduled, expired, at their limit or blocked. As many as `GET /api/links?status=active&archived=include` lists, but blocked links count as active in workspaces of more than 20,000 links.',
        example: 79,
      }),
      clicks_today: z.int().openapi({ example: 36 }),
    }),
    top_links: z.array(z.strictObject({ ...namedLink, click_count: clicks() })),
  })
  .openapi('Overview')

export const linkAnalyticsSchema = z
  .strictObject({
    link: z.strictObject({
      ...namedLink,
      short_url: z.url().openapi({ example: 'http://localhost:3000/launch' }),
    }),
    total_clicks: clicks().openapi({ description: 'In the range.' }),
    unique_visitors: z.int().min(0).openapi({ example: 90 }),
    bot_clicks: z.int().min(0).openapi({
      description: 'Crawlers and link previews that name themselves; not in total_clicks.',
      example: 14,
    }),
    last_clicked_at: timestamp()
      .nullable()
      .openapi({ description: 'Of all time; null before the first click.' }),
    timeseries: z.array(pointSchema),
    ...breakdownsOfLink,
  })
  .openapi('LinkAnalytics')

export const linkClicksSchema = z
  .strictObject({
    ...namedLink,
    domain: z.string().openapi({ example: 'go.example.com' }),
    ...counts,
  })
  .openapi('LinkClicks')

/** Counters store '' for unknown values. */
export const known = (value: string) => (value === '' ? 'Unknown' : value)

export const pointView = ({ label, clicks, visitors }: SeriesPoint): z.infer<typeof pointSchema> => ({
  date: label,
  clicks,
  unique_visitors: visitors,
})

export const breakdownViews = (by: Record<(typeof WHOLE_DIMENSIONS)[number], readonly BreakdownRow[]>) => ({
  countries: by.country.map(countries.view),
  devices: by.device.map(devices.view),
  browsers: by.browser.map(browsers.view),
  operating_systems: by.os.map(operating_systems.view),
  referrers: by.referrer.map(referrers.view),
})

export const overviewView = (found: Overview): z.infer<typeof overviewSchema> => ({
  overview: {
    total_links: found.totalLinks,
    total_clicks: found.totalClicks,
    active_links: found.activeLinks,
    clicks_today: found.clicksToday,
  },
  top_links: found.topLinks.map(({ id, code, title, clickCount }) => ({
    id,
    short_code: code,
    title,
    click_count: clickCount,
  })),
})
