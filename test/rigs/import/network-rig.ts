import { commandClient, openNetworkSource } from '../../../src/import/network/open-network-source.ts'
import { SOURCES } from '../../../src/import/sources/all-sources.ts'
import type { LinkSelection } from '../../../src/import/link-choices.ts'
import type { SourceItem } from '../../../src/import/source.ts'
import type { ClickChoice } from '../../../src/import/network/click-history-reader.ts'
import { manualClock } from '../../../src/runtime/clock.ts'
import { KEY } from './source-apis.ts'

/** 2026-11-29 14:05:00 UTC. */
const NOW_MS = Date.UTC(2026, 10, 29, 14, 5)

type Options = {
  timeoutMs?: number
  key?: string
  clicks?: ClickChoice | undefined
  list?: string
  selection?: LinkSelection
}

/** An import by the API of a source. `waits`: how long it waited, in milliseconds; no test does. */
export function networkImport(source: string, url: string, options: Options = {}) {
  const { timeoutMs = 60_000, key = KEY, list, selection = {} } = options
  const clicks = 'clicks' in options ? options.clicks : 'totals'

  const clock = manualClock(NOW_MS * 1000)
  const waits: number[] = []
  const notices: string[] = []
  const deps = {
    client: commandClient(timeoutMs),
    clock,
    async wait(ms: number) {
      waits.push(ms)
      clock.advance(ms * 1000)
    },
    say: (sentence: string) => void notices.push(sentence),
  }
  const place = { url, key, clicks, list, selection }
  return {
    waits,
    notices,
    items: (): Promise<SourceItem[]> =>
      Array.fromAsync(openNetworkSource(deps, SOURCES[source]!.network!, place).items),
  }
}
