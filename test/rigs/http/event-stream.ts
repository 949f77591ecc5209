import type { Browser } from '../service/dashboard-rig.ts'
import { eventually } from '../eventually.ts'

export type StreamedEvent = { event: string; data: any }

/** A page that listens to server-sent events. */
export class EventStream {
  readonly events: StreamedEvent[] = []
  readonly #response: Response
  readonly #leave: AbortController
  readonly #ended: Promise<void>
  hasEnded = false
  #heartbeats = 0
  #onHeartbeat: () => void = () => {}

  private constructor(response: Response, leave: AbortController) {
    this.#response = response
    this.#leave = leave
    this.#ended = this.#read()
  }

  /** `workspaceId`: instead of the one that the browser has chosen. */
  static async open(url: string, browser: Browser, workspaceId?: number): Promise<EventStream> {
    const leave = new AbortController()
    const headers = { ...browser.headers(), 'Sec-Fetch-Site': 'same-origin' } as Record<string, string>
    const query = workspaceId === undefined ? '' : `?workspace=${workspaceId}`
    const response = await fetch(`${url}/dashboard/api/live${query}`, { headers, signal: leave.signal })
    return new EventStream(response, leave)
  }

  get status(): number {
    return this.#response.status
  }

  get headers(): Headers {
    return this.#response.headers
  }

  /** The events so far, once the condition holds. */
  async until(isThere: (events: StreamedEvent[]) => boolean): Promise<StreamedEvent[]> {
    return eventually(async () => this.events, isThere)
  }

  /** Resolves after this many heartbeats; the server sends one every five seconds. */
  heartbeats(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onHeartbeat = () => this.#heartbeats >= count && resolve()
    })
  }

  /** Resolves when the server has ended the stream. */
  get ended(): Promise<void> {
    return this.#ended
  }

  async leave(): Promise<void> {
    this.#leave.abort()
    await this.#ended
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const bytes of this.#response.body!) {
        text += decoder.decode(bytes, { stream: true })
        const parts = text.split('\n\n')
        text = parts.pop()!
        for (const part of parts) this.#take(part)
      }
    } catch (error) {
      if (!this.#leave.signal.aborted) throw error
    } finally {
      this.hasEnded = true
    }
  }

  #take(part: string): void {
    const event = /^event: (.*)$/m.exec(part)?.[1]
    if (part.startsWith(':')) {
      this.#heartbeats++
      this.#onHeartbeat()
    }
    if (event === undefined) return
    this.events.push({ event, data: JSON.parse(/^data: (.*)$/m.exec(part)![1]!) })
  }
}
