// Tells the other tabs of this browser about changes.

/** `session`: signed in or out. `data`: any other change. */
export type TabMessage = 'session' | 'data'

const channel = new BroadcastChannel('tern')
/** Several changes in a row cause one reload. */
const SETTLED_MS = 200

/** What came before anybody listened: the listener loads after the first page. */
const early: MessageEvent<TabMessage>[] = []
const keep = (event: MessageEvent<TabMessage>) => void early.push(event)
channel.addEventListener('message', keep)

export const notifyTabs = (news: TabMessage): void => channel.postMessage(news)

/** Returns a function that unsubscribes. */
export function onTabMessage(onNotify: (news: TabMessage) => void): () => void {
  const timers = new Map<TabMessage, ReturnType<typeof setTimeout>>()
  const onMessage = ({ data }: MessageEvent<TabMessage>) => {
    clearTimeout(timers.get(data))
    timers.set(
      data,
      setTimeout(() => onNotify(data), SETTLED_MS),
    )
  }
  channel.removeEventListener('message', keep)
  channel.addEventListener('message', onMessage)
  early.splice(0).forEach(onMessage)
  return () => {
    channel.removeEventListener('message', onMessage)
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
