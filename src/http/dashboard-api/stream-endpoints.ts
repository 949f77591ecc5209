import { exportAccount } from '../../export/export-account.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { StreamPlaces } from '../../limits/stream-places.ts'
import { type Clock, dayOf, isoDay } from '../../runtime/clock.ts'
import type { ReportDb } from '../../store/handles.ts'
import { secondFactorMissing } from '../dispatch/permissions.ts'
import type { LinkExports } from '../api/endpoints/link-exports.ts'
import { streamedFile } from '../responses/streamed-file.ts'
import { DASHBOARD_API, type DashboardEndpoint } from './dashboard-endpoint.ts'
import type { LiveStreams } from '../dispatch/live-streams.ts'

type StreamDeps = {
  reportDb: ReportDb
  clock: Clock
  domains: Domains
  live: LiveStreams
  linkExports: LinkExports
}

/** Responses without a fixed length: live clicks and the exports. */
export function streamEndpoints({
  reportDb,
  clock,
  domains,
  live,
  linkExports,
}: StreamDeps): DashboardEndpoint[] {
  const places = new StreamPlaces({
    perWorkspace: 2,
    max: 20,
    sentence: 'Too many exports are in progress. Try again when one is done.',
  })
  return [
    {
      method: 'GET',
      path: `${DASHBOARD_API}/live`,
      access: 'analytics:read',
      handle: ({ session }) => live.open(session),
    },
    {
      method: 'GET',
      path: `${DASHBOARD_API}/export`,
      access: 'signed-in',
      async handle({ caller, session }) {
        if (session.lacksSecondFactor) throw secondFactorMissing()
        const onEnd = places.take(caller.workspaceId)
        return streamedFile({
          name: `tern-export-${isoDay(dayOf(clock.nowUs()))}.jsonl`,
          type: 'application/x-ndjson',
          pages: textsOf(exportAccount({ db: reportDb, clock, domains }, caller)),
          onEnd,
        })
      },
    },
    {
      method: 'GET',
      path: `${DASHBOARD_API}/export/links`,
      access: 'links:read',
      handle: async ({ caller, query }) => linkExports.open(caller, query),
    },
  ]
}

async function* textsOf(pages: AsyncIterable<object[]>): AsyncGenerator<string[]> {
  for await (const lines of pages) yield lines.map((line) => JSON.stringify(line) + '\n')
}
