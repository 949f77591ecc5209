import { z } from '@hono/zod-openapi'
import { Refusal } from '../../errors/refusal.ts'
import { findPublicLink, publicFacts } from '../../links/find-link.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import type { ReadDb } from '../../store/handles.ts'
import { API_VERSION } from '../../runtime/version.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { timestamp } from './schemas.ts'

/** A store that takes longer counts as unavailable. */
const HEALTH_MS_MAX = 1_000

async function canRead(db: ReadDb): Promise<boolean> {
  // Tables can be locked one by one.
  const tables = ['workspaces', 'links'] as const
  const reads = tables.map((table) => db.selectFrom(table).select('id').limit(1).execute())
  const read = Promise.all(reads).then(
    () => true,
    () => false,
  )
  // The health check must respond even if the database does not.
  return Promise.race([read, Bun.sleep(HEALTH_MS_MAX).then(() => false)])
}

/** Endpoints that need no key, and ignore one if it is sent. */
export const publicEndpoints = [
  endpoint({
    route: 'GET /info/{short_code}',
    who: 'public',
    tag: 'Public',
    summary: 'See where a link leads',
    description: 'For previews: it does not redirect and counts no click.',
    answer: {
      message: 'Link retrieved.',
      description: 'What everybody may know of the link.',
      data: z
        .strictObject({
          short_code: z.string().openapi({ example: 'launch' }),
          original_url: z.string().nullable().openapi({
            description:
              'Null if only visitors learn where the link leads: it has a password or `max_clicks`, has not started, or has expired.',
            example: 'https://example.com/launch',
          }),
          title: z
            .string()
            .openapi({ description: 'Empty where `original_url` is null.', example: 'Launch page' }),
          is_active: z.boolean(),
        })
        .openapi('LinkInfo'),
    },
    refusals: [404, 410],
    async run({ key }, { readDb, blocks, clock }) {
      const link = await findPublicLink({ db: readDb, blocks }, key)
      const { originalUrl, title } = publicFacts(link, clock.nowUs())
      return {
        data: { short_code: link.code, original_url: originalUrl, title, is_active: link.isActive },
      }
    },
  }),
  endpoint({
    route: 'GET /stats/public',
    who: 'public',
    tag: 'Public',
    summary: 'Read the figures of the whole instance',
    description:
      'Without the envelope. May be some seconds old; an operator can switch it off, then it is not found.',
    answer: {
      description: 'The figures.',
      bare: z
        .strictObject({
          total_links: z.int().openapi({ example: 82 }),
          total_clicks: z.int().openapi({ example: 1284 }),
          active_users: z.int().openapi({ example: 4 }),
        })
        .openapi('PublicStats'),
    },
    refusals: [404],
    async run(_, { config, publicStats }) {
      if (!config.publicStats) throw new Refusal('public_stats_disabled', 'Public statistics are disabled.')
      const { totalLinks, totalClicks, activeUsers } = await publicStats()
      return { body: { total_links: totalLinks, total_clicks: totalClicks, active_users: activeUsers } }
    },
  }),
  endpoint({
    route: 'GET /health',
    who: 'public',
    tag: 'Public',
    summary: 'Ask whether the service works',
    description:
      'Without the envelope. `degraded` while the store cannot be read or the journal cannot be written; links that are known then still open as long as their clicks can be recorded. `stopping`, with status 503, while what is still sent is answered before the end.',
    answer: {
      description: 'The state.',
      bare: z
        .strictObject({
          status: z.enum(['ok', 'degraded', 'stopping']),
          timestamp: timestamp(),
          version: z.string().openapi({ example: API_VERSION }),
        })
        .openapi('Health'),
    },
    async run(_, { readDb, clock, serviceState }) {
      const reported = serviceState()
      const status = reported === 'ok' && !(await canRead(readDb)) ? 'degraded' : reported
      return {
        // A proxy then sends its requests to another node.
        status: status === 'stopping' ? 503 : 200,
        body: { status, timestamp: isoMicroseconds(clock.nowUs()), version: API_VERSION },
      }
    },
  }),
]
