import { connect } from 'node:net'
import { systemClock } from '../../src/clock.ts'
import { openFastLane } from '../../src/http/fast-lane.ts'
import { openFrontDoor } from '../../src/http/front-door.ts'
import type { LinkTarget } from '../../src/links/link-cache.ts'
import { newSharedMetrics, openMetrics } from '../../src/metrics.ts'
import { atTheEnd } from './hand-over-rig.ts'

const HOST = '127.0.0.1'
/** A destination that was stored before there was a bound, longer than what the system keeps for a connection. */
export const LONG_HREF = 'https://example.com/'.padEnd(12_000_000, 'long')

/**
 * The fast lane with the complete server behind it, before a journal that takes a click when the test says so. Every
 * code is a link but "nobody"; "long" leads to a long destination. The API says what it was asked.
 */
export function openLaneRig() {
  const metrics = openMetrics(newSharedMetrics())
  const asked: string[] = []
  const opened: string[] = []
  /** Clicks that wait; while undefined, the journal takes them at once. */
  const journal = { waiting: undefined as PromiseWithResolvers<void>[] | undefined, clicks: 0 }
  const deps = {
    openLink: {
      links: {
        get(code: string): LinkTarget | undefined {
          opened.push(code)
          if (code === 'nobody') return undefined
          const href = code === 'long' ? LONG_HREF : `https://example.com/${code}`
          return { code, linkId: 1, accountId: 1, href, isOpen: true, isBlocked: false }
        },
      },
      journal: {
        append(): Promise<void> {
          journal.clicks++
          if (journal.waiting === undefined) return Promise.resolve()
          const click = Promise.withResolvers<void>()
          journal.waiting.push(click)
          return click.promise
        },
      },
      visitors: { of: () => 1 },
      countries: { countryOf: () => '' },
      misses: { count: () => ({ isAllowed: true, retryAfterSeconds: 1 }) },
    },
    api: {
      async ask({ method, target, body }: { method: string; target: string; body: unknown }) {
        asked.push(target)
        await Bun.sleep(5)
        const bytes = body instanceof ArrayBuffer ? body.byteLength : 0
        return new Response(`${method} ${target} with ${bytes} bytes`)
      },
    },
    log: { debug() {}, info() {}, warn() {}, error: (message: string) => void logged.push(message) },
    peers: new Map<number, string>(),
    metrics,
    clock: systemClock,
  }
  const logged: string[] = []
  const inner = openFrontDoor(deps, { host: HOST, port: 0, trustedProxies: undefined })
  const settings = { host: HOST, port: 0, trustedProxies: undefined, sharesPort: false, filesMax: 10_000 }
  const lane = openFastLane(deps, { ...settings, innerPort: inner.port! })
  atTheEnd(() => inner.stop(true))
  atTheEnd(() => lane.stop())
  const { shortAddressAnswers: counted, connections } = metrics
  return { port: lane.port, lane, journal, asked, opened, logged, counted, connections }
}

export const get = (target: string, more = ''): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
export const head = (target: string): string => get(target).replace('GET', 'HEAD')
export const post = (target: string, content: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${content.length}\r\n\r\n${content}`

/** A client that keeps what it hears. It says that it has ended only by what the server does. */
export function connectTo(port: number) {
  const socket = connect({ port, host: HOST, noDelay: true, allowHalfOpen: true })
  const heard = { text: '', hasEnded: false, wasReset: false }
  socket.on('data', (bytes) => (heard.text += bytes.toString('latin1')))
  socket.on('error', () => (heard.wasReset = true))
  socket.on('end', () => (heard.hasEnded = true))
  socket.on('close', () => (heard.hasEnded = true))
  atTheEnd(() => socket.destroy())
  return { socket, heard }
}

/** What each answer is about: where it leads, what the API says, or else its status. */
export function answersIn(text: string): string[] {
  return text
    .split('HTTP/1.1 ')
    .slice(1)
    .map((answer) => {
      const location = /^Location: https:\/\/example\.com(\S*)/im.exec(answer)?.[1]
      return location ?? /^[A-Z]+ \/\S* with \d+ bytes/m.exec(answer)?.[0] ?? answer.slice(0, 3)
    })
}
