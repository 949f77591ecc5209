import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type LiveClick } from './api-client.ts'

const RECENT_MAX = 20
/** A busy link tells of many clicks a second; the figures are asked for at most so often. */
const REFRESH_MS = 1_000

export type LiveState = { isLive: boolean; recent: (LiveClick & { id: number })[] }

let lastId = 0

/** Clicks as they come, of one link or of all; the figures on the page follow. One stream while the page is open. */
export function useLiveClicks(code?: string): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>({ isLive: false, recent: [] })
  useEffect(() => {
    const stream = new EventSource(api.liveAddress(code))
    let refresh: ReturnType<typeof setTimeout> | undefined
    stream.onopen = () => setState((before) => ({ ...before, isLive: true }))
    // The browser connects again by itself.
    stream.onerror = () => setState((before) => ({ ...before, isLive: false }))
    stream.addEventListener('click', (event: MessageEvent<string>) => {
      const click = { ...(JSON.parse(event.data) as LiveClick), id: ++lastId }
      setState(({ recent }) => ({ isLive: true, recent: [click, ...recent].slice(0, RECENT_MAX) }))
      refresh ??= setTimeout(() => {
        refresh = undefined
        void client.invalidateQueries({ queryKey: ['clicks'] })
        void client.invalidateQueries({ queryKey: ['links'] })
      }, REFRESH_MS)
    })
    return () => {
      stream.close()
      clearTimeout(refresh)
    }
  }, [client, code])
  return state
}
