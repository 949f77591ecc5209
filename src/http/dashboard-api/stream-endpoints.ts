import { type ExportLine, exportAccount } from '../../export/export-account.ts'
import { type Clock, dayOf, isoDay } from '../../clock.ts'
import type { Db } from '../../store/open-store.ts'
import { DASHBOARD_API, type DashboardEndpoint } from './dashboard-endpoint.ts'
import type { LiveStreams } from './live-streams.ts'

type StreamDeps = { reportDb: Db; clock: Clock; live: LiveStreams }

/** Answers that go on: new clicks as they come, and everything that there is. */
export function streamEndpoints({ reportDb, clock, live }: StreamDeps): DashboardEndpoint[] {
  return [
    {
      method: 'GET',
      path: `${DASHBOARD_API}/live`,
      access: 'verified',
      handle: ({ session }) => live.open(session),
    },
    {
      method: 'GET',
      path: `${DASHBOARD_API}/export`,
      access: 'signed-in',
      async handle({ caller }) {
        const name = `tern-export-${isoDay(dayOf(clock.nowUs()))}.jsonl`
        return new Response(jsonLines(exportAccount({ db: reportDb, clock }, caller.accountId)), {
          headers: {
            'Content-Type': 'application/x-ndjson; charset=utf-8',
            'Content-Disposition': `attachment; filename="${name}"`,
          },
        })
      },
    },
  ]
}

/** Made as far as the client takes it. */
function jsonLines(pages: AsyncGenerator<ExportLine[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await pages.next()
        if (done) return controller.close()
        controller.enqueue(encoder.encode(value.map((line) => JSON.stringify(line) + '\n').join('')))
      },
      async cancel() {
        await pages.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
