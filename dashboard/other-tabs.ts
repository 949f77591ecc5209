// What one tab changes, the others of this browser show.

/** `session`: somebody signed in or out. `data`: anything else was changed. */
export type TabNews = 'session' | 'data'

const channel = new BroadcastChannel('tern')
/** Many changes in a row are one reason to look again. */
const SETTLED_MS = 200

export const tellTabs = (news: TabNews): void => channel.postMessage(news)

/** Calls back for what other tabs tell, until it is told to stop. */
export function hearTabs(onNews: (news: TabNews) => void): () => void {
  const timers = new Map<TabNews, ReturnType<typeof setTimeout>>()
  const hear = ({ data }: MessageEvent<TabNews>) => {
    clearTimeout(timers.get(data))
    timers.set(
      data,
      setTimeout(() => onNews(data), SETTLED_MS),
    )
  }
  channel.addEventListener('message', hear)
  return () => {
    channel.removeEventListener('message', hear)
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
