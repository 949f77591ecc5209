import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ClickView, LiveClicks, LiveTotals } from '../../src/http/endpoints/browser-types.ts'
import { liveUrl } from '../api/api-client.ts'
import { type TotalAt, withTotal } from './last-minute.ts'
import { followTotals, onTotals } from './live-totals.ts'
import { refreshClicks } from '../links/link-queries.ts'
import { nowMs } from '../now.ts'
import { SESSION } from '../use-session.ts'

export const RECENT_MAX = 20
/** The shortest time between two reloads of analytics, however many clicks arrive. */
const REFRESH_MS = 1_000
/** After a refusal: too many pages are open, or the session has ended. */
const RETRY_MS = 30_000

export type LiveState = 'connecting' | 'live' | 'reconnecting'
export type Live = {
  state: LiveState
  recent: ClickView[]
  /** Of all clicks, as the stream says them. */
  totals: readonly TotalAt[]
}

/**
 * Live clicks, and a reload of analytics when there are new ones. Only visible pages have a stream: browsers limit the
 * connections to a server, and background tabs would use them up.
 */
export function useLiveClicks(): Live {
  const client = useQueryClient()
  const [live, setLive] = useState<Live>({ state: 'connecting', recent: [], totals: [] })
  useEffect(() => {
    const refresher = newRefresher(() => refreshClicks(client))
    const unfollow = followTotals(refresher.refresh)
    let stream: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    const setState = (state: LiveState) => setLive((before) => ({ ...before, state }))
    const connect = () => {
      stream = new EventSource(liveUrl())
      stream.onopen = () => setState('live')
      stream.onerror = () => {
        setState('reconnecting')
        // The browser reconnects after a broken connection, but not after a refusal.
        if (stream?.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY_MS)
      }
      stream.addEventListener('clicks', ({ data }: MessageEvent<string>) => {
        const { clicks } = JSON.parse(data) as LiveClicks
        setLive(({ recent, ...others }) => ({ ...others, recent: latestFirst([...clicks, ...recent]) }))
      })
      stream.addEventListener('totals', ({ data }: MessageEvent<string>) => {
        const latest = JSON.parse(data) as LiveTotals
        const isFewer = onTotals(latest)
        const total = { atMs: nowMs(), clicks: latest.total_clicks }
        setLive(({ totals, ...others }) =>
          isFewer
            ? { ...others, recent: [], totals: [total] }
            : { ...others, totals: withTotal(totals, total) },
        )
      })
      // The role has changed, or an import has begun or ended.
      stream.addEventListener('session', () => void client.invalidateQueries({ queryKey: SESSION }))
    }
    const disconnect = () => {
      clearTimeout(retry)
      stream?.close()
      stream = undefined
    }
    const connectIfVisible = () => {
      if (document.visibilityState === 'hidden') disconnect()
      else if (stream === undefined) connect()
    }
    connectIfVisible()
    document.addEventListener('visibilitychange', connectIfVisible)
    return () => {
      document.removeEventListener('visibilitychange', connectIfVisible)
      disconnect()
      unfollow()
      refresher.stop()
    }
  }, [client])
  return live
}

/** Removes duplicates: a click that arrives during a request is in its response and in the stream. */
export function latestFirst(clicks: readonly ClickView[]): ClickView[] {
  const byId = new Map(clicks.map((click) => [click.id, click]))
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, RECENT_MAX)
}

/** Refreshes at once, then at most once per REFRESH_MS. */
function newRefresher(refreshNow: () => void): { refresh(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const refresh = () => {
    if (timer !== undefined) return void (isWanted = true)
    refreshNow()
    timer = setTimeout(() => {
      timer = undefined
      if (!isWanted) return
      isWanted = false
      refresh()
    }, REFRESH_MS)
  }
  return { refresh, stop: () => clearTimeout(timer) }
}
