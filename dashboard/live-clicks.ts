import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ClickView, LiveClicks, LiveTotals } from '../src/http/dashboard-api/dashboard-types.ts'
import { LIVE_ADDRESS } from './api-client.ts'
import { followTotals, hearTotals } from './live-totals.ts'
import { clicksAnew } from './queries.ts'

const RECENT_MAX = 20
/** A busy link tells of many clicks a second; the figures are asked for at most so often. */
const REFRESH_MS = 1_000
/** When the server has said no: too many pages are open, or nobody is signed in any more. */
const RETRY_MS = 30_000

export type LiveState = 'connecting' | 'live' | 'reconnecting'
export type Live = { state: LiveState; recent: ClickView[] }

/**
 * Clicks as they come, and figures that follow them. One stream for each page that is in sight: browsers allow a server
 * few connections, and pages in the background would use them up.
 */
export function useLiveClicks(): Live {
  const client = useQueryClient()
  const [live, setLive] = useState<Live>({ state: 'connecting', recent: [] })
  useEffect(() => {
    const refresher = newRefresher(() => clicksAnew(client))
    const unfollow = followTotals(refresher.refresh)
    let stream: EventSource | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    const say = (state: LiveState) => setLive((before) => ({ ...before, state }))
    const hear = () => {
      stream = new EventSource(LIVE_ADDRESS)
      stream.onopen = () => say('live')
      stream.onerror = () => {
        say('reconnecting')
        // After a broken connection the browser comes again by itself; after a refusal it does not.
        if (stream?.readyState === EventSource.CLOSED) retry = setTimeout(hear, RETRY_MS)
      }
      stream.addEventListener('clicks', ({ data }: MessageEvent<string>) => {
        const { clicks } = JSON.parse(data) as LiveClicks
        setLive(({ state, recent }) => ({ state, recent: latestFirst([...clicks, ...recent]) }))
      })
      stream.addEventListener('totals', ({ data }: MessageEvent<string>) =>
        hearTotals(JSON.parse(data) as LiveTotals),
      )
    }
    const leave = () => {
      clearTimeout(retry)
      stream?.close()
      stream = undefined
    }
    const follow = () => {
      if (document.visibilityState === 'hidden') leave()
      else if (stream === undefined) hear()
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      leave()
      unfollow()
      refresher.stop()
    }
  }, [client])
  return live
}

/** Clicks that came while the list was asked for are told twice. */
export function latestFirst(clicks: readonly ClickView[]): ClickView[] {
  const byId = new Map(clicks.map((click) => [click.id, click]))
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, RECENT_MAX)
}

/** At once, and then at most once in a while. */
function newRefresher(refreshNow: () => void): { refresh(): void; stop(): void } {
  let resting: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const refresh = () => {
    if (resting !== undefined) return void (isWanted = true)
    refreshNow()
    resting = setTimeout(() => {
      resting = undefined
      if (!isWanted) return
      isWanted = false
      refresh()
    }, REFRESH_MS)
  }
  return { refresh, stop: () => clearTimeout(resting) }
}
