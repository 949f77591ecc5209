import { exportAccount } from '../../export/export-account.ts'
import type { ExportLine } from '../../export/pages.ts'
import { type Clock, dayOf, isoDay } from '../../runtime/clock.ts'
import type { ReportDb } from '../../store/handles.ts'
import { DASHBOARD_API, type DashboardEndpoint } from './dashboard-endpoint.ts'
import type { LiveStreams } from './live-streams.ts'
import { StreamPlaces } from './stream-places.ts'

type StreamDeps = { reportDb: ReportDb; clock: Clock; live: LiveStreams }

/** The size of one chunk of an export. */
const PIECE_CHARS = 64 * 1024

/** Responses without a fixed length: live clicks and the export. */
export function streamEndpoints({ reportDb, clock, live }: StreamDeps): DashboardEndpoint[] {
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
      async handle({ caller }) {
        const leave = places.take(caller.workspaceId)
        const name = `tern-export-${isoDay(dayOf(clock.nowUs()))}.jsonl`
        const pieces = piecesOf(exportAccount({ db: reportDb, clock }, caller))
        return new Response(streamOf(pieces, leave), {
          headers: {
            'Content-Type': 'application/x-ndjson; charset=utf-8',
            'Content-Disposition': `attachment; filename="${name}"`,
          },
        })
      },
    },
  ]
}

async function* piecesOf(pages: AsyncIterable<ExportLine[]>): AsyncGenerator<string> {
  let piece = ''
  for await (const lines of pages) {
    for (const line of lines) {
      piece += JSON.stringify(line) + '\n'
      if (piece.length < PIECE_CHARS) continue
      yield piece
      piece = ''
    }
  }
  yield piece
}

/** Reads as fast as the client. */
function streamOf(pieces: AsyncGenerator<string>, onEnd: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await pieces.next()
          if (!done) return controller.enqueue(encoder.encode(value))
        } catch (error) {
          onEnd()
          throw error
        }
        onEnd()
        controller.close()
      },
      async cancel() {
        onEnd()
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
