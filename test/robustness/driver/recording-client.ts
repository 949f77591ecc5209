import {
  type ClientAnswer,
  type ClientRequest,
  KeepAliveClient,
  type NoAnswer,
} from '../../rigs/http/keep-alive-client.ts'
import { History, type Outcome } from './history.ts'
import type { CodeAnswered, CodeAsked, TitleAsked } from './models.ts'

/** From the service, or from a proxy without a working upstream. */
const UNAVAILABLE = [502, 503, 504]
const RECONNECT_MS = 5
/** Much longer than a start takes. */
const TRIES_MAX = 4_000

/** Everything that clients have seen, by kind of object. */
export class Records {
  readonly codes = new History<CodeAsked, CodeAnswered>()
  readonly switches = new History<'toggle' | 'look', boolean>()
  readonly titles = new History<TitleAsked, string>()
  readonly clickCounts = new History<'look', number>()
  readonly repeats = new History<'make', string>()
  /** Requests sent by each account, and how many were answered. */
  readonly sent = new Map<string, number>()
  readonly answered = new Map<string, number>()
  /** Requests answered with 502, 503 or 504, which may have taken effect. */
  unavailable = 0
  /** Unexpected answers; should be empty. */
  readonly odd: string[] = []
}

/** How one account reaches the service. */
export type Access = { port: number; key: string; account: string }

type Expected = Record<number, (link: LinkData) => unknown>
type LinkData = { svc_id: string; short_code: string; is_active: boolean; title: string; click_count: number }

/** A client of an account. It sends one request at a time, once, and records the answer. */
export class RecordingClient {
  readonly account: string
  readonly #records: Records
  readonly #key: string
  readonly #http: KeepAliveClient

  constructor({ port, key, account }: Access, records: Records) {
    this.account = account
    this.#records = records
    this.#key = key
    this.#http = new KeepAliveClient(port)
  }

  close(): void {
    this.#http.close()
  }

  claim(code: string): Promise<void> {
    const body = { original_url: `https://example.com/${code}`, custom_code: code }
    return this.#recordCode(code, 'claim', () =>
      this.#ask('POST', '/api/links', { 201: () => 'done', 422: () => 'refused' }, { body }),
    )
  }

  delete(code: string): Promise<void> {
    return this.#recordCode(code, 'delete', () => this.#ask('DELETE', linkPath(code), DONE_OR_NOT_THERE))
  }

  lookFor(code: string): Promise<void> {
    return this.#recordCode(code, 'look', () => this.#ask('GET', linkPath(code), DONE_OR_NOT_THERE))
  }

  toggle(code: string): Promise<void> {
    return this.#records.switches.record(code, 'toggle', () =>
      this.#ask('POST', `${linkPath(code)}/toggle`, { 200: ({ is_active }) => is_active }),
    )
  }

  writeTitle(code: string, title: string): Promise<void> {
    return this.#records.titles.record(code, { write: title }, () =>
      this.#ask('PUT', linkPath(code), { 200: () => title }, { body: { title } }),
    )
  }

  /** Reads what one of the histories is about. */
  look(kind: keyof typeof FIELDS, code: string): Promise<void> {
    const history = this.#records[kind] as History<'look', LinkData[(typeof FIELDS)[typeof kind]]>
    return history.record(code, 'look', () =>
      this.#ask('GET', linkPath(code), { 200: (link) => link[FIELDS[kind]] }),
    )
  }

  /** A link that is written together with others that come at the same time. Its code is known once it is acknowledged. */
  async makePlain(title: string): Promise<void> {
    const body = { original_url: 'https://example.com/', title }
    const made = await this.#ask<Pick<LinkData, 'short_code'>>(
      'POST',
      '/api/links',
      { 201: ({ short_code }) => ({ short_code }) },
      { body },
    )
    if (typeof made === 'object')
      await this.#records.titles.record(made.short_code, { write: title }, async () => title)
  }

  /** The title is the key, so its links can be found. */
  makeOnce(key: string): Promise<void> {
    const body = { original_url: 'https://example.com/', title: key }
    const headers = { 'Idempotency-Key': key }
    return this.#records.repeats.record(key, 'make', () =>
      this.#ask<string>(
        'POST',
        '/api/links',
        // The same request is still in progress, so the answer says nothing about it.
        { 201: ({ svc_id }) => svc_id, 409: () => 'not asked' },
        { body, headers },
      ),
    )
  }

  #recordCode(
    code: string,
    deed: CodeAsked['deed'],
    ask: () => Promise<Outcome<CodeAnswered>>,
  ): Promise<void> {
    return this.#records.codes.record(code, { by: this.account, deed }, ask)
  }

  async #ask<Answered>(
    method: string,
    path: string,
    expected: Expected,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Outcome<Answered>> {
    const request = { method, path, body, headers: { 'X-API-Key': this.#key, ...headers } }
    const answer = await this.#askWhoListens(request)
    this.#count(answer)
    if (answer === 'refused') return 'not asked'
    if (typeof answer === 'string') return 'unknown'
    const read = expected[answer.status]
    if (read !== undefined) return read(JSON.parse(answer.body).data) as Answered
    if (UNAVAILABLE.includes(answer.status)) this.#records.unavailable++
    else this.#records.odd.push(`${method} ${path}: ${answer.status} ${answer.body}`)
    return 'unknown'
  }

  /** Waits for the next server after the last one has ended. */
  async #askWhoListens(request: ClientRequest): Promise<ClientAnswer | NoAnswer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#http.request(request)
      if (answer !== 'refused' || tries === TRIES_MAX) return answer
      await Bun.sleep(RECONNECT_MS)
    }
  }

  #count(answer: ClientAnswer | NoAnswer): void {
    const { sent, answered } = this.#records
    if (answer !== 'refused') sent.set(this.account, (sent.get(this.account) ?? 0) + 1)
    if (typeof answer !== 'string') answered.set(this.account, (answered.get(this.account) ?? 0) + 1)
  }
}

const FIELDS = { switches: 'is_active', titles: 'title', clickCounts: 'click_count' } as const

const linkPath = (code: string) => `/api/links/${code}`

const DONE_OR_NOT_THERE: Expected = { 200: () => 'done', 404: () => 'refused' }
