import { z } from '@hono/zod-openapi'
import { type PublicStats, publicStats } from '../../analytics/public-stats.ts'
import { type Clock, isoMicroseconds } from '../../clock.ts'
import type { Blocks } from '../../links/blocks.ts'
import { findPublicLink } from '../../links/find-link.ts'
import { Refusal } from '../../refusal.ts'
import type { Db } from '../../store/open-store.ts'
import { API_VERSION } from '../api-version.ts'
import type { Endpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import { timestamp } from './link-view.ts'
import { envelope } from './schemas.ts'
import type { ServiceState } from '../service-state.ts'

type PublicEndpointsDeps = {
  db: Db
  blocks: Blocks
  clock: Clock
  /** Undefined: the statistics are switched off. */
  statsTtlMs: number | undefined
  serviceState(): ServiceState
}

/** A store that takes longer to say anything is not well. */
const HEALTH_MS_MAX = 1_000

/** What needs no key, and ignores one that is sent. */
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
            original_url: z.string().openapi({ example: 'https://example.com/launch' }),
            title: z.string(),
            is_active: z.boolean(),
          })
          .openapi('LinkInfo'),
      }),
    },
    refusals: [404, 410],
    async handle({ code }) {
      const link = await findPublicLink(deps, code)
      return {
        body: success('Link retrieved.', {
          data: {
            short_code: link.code,
            original_url: link.originalUrl,
            title: link.title,
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
        .strictObject({ total_links: z.int(), total_clicks: z.int(), active_users: z.int() })
        .openapi('PublicStats'),
    },
    refusals: [404],
    async handle() {
      if (statsTtlMs === undefined) throw new Refusal('not-found', 'Public statistics are disabled.')
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
      const told = serviceState()
      const state = told === 'ok' && !(await answers(db)) ? 'degraded' : told
      return {
        // So that a proxy turns to another node.
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

/** Whether the store can be read. */
async function answers(db: Db): Promise<boolean> {
  const asked = db
    .selectFrom('accounts')
    .select('id')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    )
  // Whoever asks for the health will not wait for a database that says nothing at all.
  return Promise.race([asked, Bun.sleep(HEALTH_MS_MAX).then(() => false)])
}
