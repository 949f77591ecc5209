import { z } from '@hono/zod-openapi'
import { type PublicStats, publicStats } from '../../../analytics/public-stats.ts'
import { type Clock, isoMicroseconds } from '../../../runtime/clock.ts'
import type { Blocks } from '../../../links/destinations/blocks.ts'
import { findPublicLink, publicFacts } from '../../../links/find-link.ts'
import { Refusal } from '../../../errors/refusal.ts'
import type { ReadDb } from '../../../store/handles.ts'
import { API_VERSION } from '../api-version.ts'
import type { Endpoint } from '../keyed-endpoint.ts'
import { success } from '../../responses/envelope.ts'
import { timestamp } from '../../endpoints/schemas.ts'
import { envelope } from '../../endpoints/schemas.ts'
import type { ServiceState } from '../../api-server/service-state.ts'

type PublicEndpointsDeps = {
  db: ReadDb
  blocks: Blocks
  clock: Clock
  /** Undefined if public statistics are disabled. */
  statsTtlMs: number | undefined
  serviceState(): ServiceState
}

/** A store that takes longer counts as unavailable. */
const HEALTH_MS_MAX = 1_000

/** Endpoints that need no key, and ignore one if it is sent. */
export function publicEndpoints(deps: PublicEndpointsDeps): Endpoint[] {
  return [infoEndpoint(deps), statsEndpoint(deps), healthEndpoint(deps)]
}

function infoEndpoint(deps: PublicEndpointsDeps): Endpoint {
  return {
    method: 'get',
    path: '/api/info/{short_code}',
    tag: 'Public',
    summary: 'See where a link leads',
    description: 'For previews: it does not redirect and counts no click.',
    access: 'public',
    answer: {
      status: 200,
      description: 'What everybody may know of the link.',
      schema: envelope('Link retrieved.', {
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
      }),
    },
    refusals: [404, 410],
    async handle({ key }) {
      const link = await findPublicLink(deps, key)
      const { originalUrl, title } = publicFacts(link, deps.clock.nowUs())
      return {
        body: success('Link retrieved.', {
          data: {
            short_code: link.code,
            original_url: originalUrl,
            title,
            is_active: link.isActive,
          },
        }),
      }
    },
  }
}

function statsEndpoint({ db, clock, statsTtlMs }: PublicEndpointsDeps): Endpoint {
  let latest: { stats: PublicStats; atMs: number } | undefined
  return {
    method: 'get',
    path: '/api/stats/public',
    tag: 'Public',
    summary: 'Read the figures of the whole instance',
    description:
      'Without the envelope. May be some seconds old; an operator can switch it off, then it is not found.',
    access: 'public',
    answer: {
      status: 200,
      description: 'The figures.',
      schema: z
        .strictObject({
          total_links: z.int().openapi({ example: 82 }),
          total_clicks: z.int().openapi({ example: 1284 }),
          active_users: z.int().openapi({ example: 4 }),
        })
        .openapi('PublicStats'),
    },
    refusals: [404],
    async handle() {
      if (statsTtlMs === undefined)
        throw new Refusal('public_stats_disabled', 'Public statistics are disabled.')
      const now = clock.monotonicMs()
      if (latest === undefined || now - latest.atMs >= statsTtlMs) {
        latest = { stats: await publicStats({ db, clock }), atMs: now }
      }
      const { totalLinks, totalClicks, activeUsers } = latest.stats
      return { body: { total_links: totalLinks, total_clicks: totalClicks, active_users: activeUsers } }
    },
  }
}

function healthEndpoint({ db, clock, serviceState }: PublicEndpointsDeps): Endpoint {
  return {
    method: 'get',
    path: '/api/health',
    tag: 'Public',
    summary: 'Ask whether the service works',
    description:
      'Without the envelope. `degraded` while the store cannot be read or the journal cannot be written; links that are known then still open as long as their clicks can be recorded. `stopping`, with status 503, while what is still sent is answered before the end.',
    access: 'public',
    answer: {
      status: 200,
      description: 'The state.',
      schema: z
        .strictObject({
          status: z.enum(['ok', 'degraded', 'stopping']),
          timestamp: timestamp(),
          version: z.string().openapi({ example: API_VERSION }),
        })
        .openapi('Health'),
    },
    async handle() {
      const reported = serviceState()
      const state = reported === 'ok' && !(await canRead(db)) ? 'degraded' : reported
      return {
        // A proxy then sends its requests to another node.
        status: state === 'stopping' ? 503 : 200,
        body: {
          status: state,
          timestamp: isoMicroseconds(clock.nowUs()),
          version: API_VERSION,
        },
      }
    },
  }
}

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
