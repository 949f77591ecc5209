import { type ClientAnswer, KeepAliveClient, type NoAnswer } from '../http/keep-alive-client.ts'

/** What a client knows of a link: the response, or only that it sent a request. */
type Fate = 'present' | 'maybe present' | 'gone' | 'maybe gone'

export type WriteTally = {
  fates: Map<string, Fate>
  /** Last known state of the toggled links; undefined after a toggle without a response. */
  isOn: Map<string, boolean | undefined>
  /** Codes that this account won in a race with others. */
  won: Set<string>
  acknowledged: number
  /** Unexpected responses; there should be none. */
  odd: string[]
}

type WriteLoadSettings = {
  port: number
  key: string
  /** Prefix of the codes that only this client requests. */
  name: string
  /** Codes of existing active links to toggle. */
  toggled: readonly string[]
  random(): number
}

const PAUSE_MS_MAX = 8

/** A client that creates, toggles and deletes links, one request after the other. */
export class WriteLoad {
  readonly tally: WriteTally
  readonly #settings: WriteLoadSettings
  readonly #client: KeepAliveClient
  readonly #running: Promise<void>
  #isStopping = false
  #made = 0

  constructor(settings: WriteLoadSettings) {
    this.#settings = settings
    this.#client = new KeepAliveClient(settings.port)
    this.tally = {
      fates: new Map(),
      isOn: new Map(settings.toggled.map((code) => [code, true])),
      won: new Set(),
      acknowledged: 0,
      odd: [],
    }
    this.#running = this.#run()
  }

  async stop(): Promise<WriteTally> {
    this.#isStopping = true
    await this.#running
    return this.tally
  }

  async #run(): Promise<void> {
    const { random } = this.#settings
    while (!this.#isStopping) {
      const choice = random()
      if (choice < 0.4) await this.#create()
      else if (choice < 0.6) await this.#race()
      else if (choice < 0.8) await this.#toggle()
      else await this.#delete()
      await Bun.sleep(random() * PAUSE_MS_MAX)
    }
    this.#client.close()
  }

  async #create(): Promise<void> {
    const { fates } = this.tally
    const code = `${this.#settings.name}-${++this.#made}`
    const answer = await this.#ask('POST', '/api/links', newLink(code))
    if (answer === 'refused') return
    if (typeof answer === 'string') fates.set(code, 'maybe present')
    else if (this.#isExpected(answer, 201)) fates.set(code, 'present')
  }

  /** All clients request the same codes; each may go to one of them. */
  async #race(): Promise<void> {
    const code = `race-${Math.floor(this.#settings.random() * 200)}`
    const answer = await this.#ask('POST', '/api/links', newLink(code))
    if (typeof answer !== 'string' && this.#isExpected(answer, 201, 422) && answer.status === 201)
      this.tally.won.add(code)
  }

  async #toggle(): Promise<void> {
    const { toggled, random } = this.#settings
    const { isOn } = this.tally
    const code = toggled[Math.floor(random() * toggled.length)]
    if (code === undefined) return
    const answer = await this.#ask('POST', `/api/links/${code}/toggle`)
    if (answer === 'refused') return
    if (typeof answer === 'string') return void isOn.set(code, undefined)
    if (!this.#isExpected(answer, 200)) return
    const now: boolean = JSON.parse(answer.body).data.is_active
    if (isOn.get(code) === now) this.tally.odd.push(`${code} was turned from ${now} to ${now}`)
    isOn.set(code, now)
  }

  async #delete(): Promise<void> {
    const { fates } = this.tally
    const code = [...fates.keys()].find((each) => fates.get(each) === 'present')
    if (code === undefined) return
    const answer = await this.#ask('DELETE', `/api/links/${code}`)
    if (answer === 'refused') return
    if (typeof answer === 'string') fates.set(code, 'maybe gone')
    else if (this.#isExpected(answer, 200)) fates.set(code, 'gone')
  }

  async #ask(method: string, path: string, body?: unknown): Promise<ClientAnswer | NoAnswer> {
    const answer = await this.#client.request({
      method,
      path,
      headers: { 'X-API-Key': this.#settings.key },
      body,
    })
    if (answer === 'refused') await Bun.sleep(PAUSE_MS_MAX)
    return answer
  }

  #isExpected({ status, body }: ClientAnswer, ...expected: number[]): boolean {
    if (!expected.includes(status)) this.tally.odd.push(`${status} ${body}`)
    else this.tally.acknowledged++
    return expected.includes(status)
  }
}

const newLink = (code: string) => ({ original_url: `https://example.com/${code}`, custom_code: code })
