import {
  type Answered,
  type Failed,
  type GuardedClient,
  hostOf,
} from '../../destination-pages/guarded-client.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type Clock, HOUR_US, isoMicroseconds } from '../../runtime/clock.ts'
import { PAGE_LENGTH_MAX } from '../files/json-pages.ts'
import { type PageAnswer, pageOutcome, type SourceServer } from './page-outcome.ts'
import type { PageRequest } from './source-api.ts'

/** `attempts`: requests of one page, until it is given up. `bytes`: of one page. */
export type PageLimits = { attempts: number; bytes: number }
export const IMPORT_LIMITS: PageLimits = { attempts: 6, bytes: PAGE_LENGTH_MAX }
/** Doubled with each attempt. */
const FIRST_WAIT_US = 1_000_000
/** Limits of an hour are waited for, those of a month are not. */
const WAIT_US_MAX = 2 * HOUR_US

export type PageClientDeps = {
  client: Pick<GuardedClient, 'get'>
  clock: Clock
  wait(ms: number): Promise<void>
  /** For the user, apart from the output. */
  say(sentence: string): void
}

/** With what every request has. */
export type KeyedServer = SourceServer & Pick<PageRequest, 'headers' | 'query'>

/** The source refuses the request, or takes it too late. `status`: of its answer; undefined without one. */
export class PageRefusal extends Refusal {
  readonly status: number | undefined

  constructor(sentence: string, status: number | undefined) {
    super('command_failed', sentence)
    this.status = status
  }
}

const AGAIN = 'nothing is created twice.'

/** Gets pages of one source. Waits where the source says so, or where another request may help. */
export class PageClient {
  readonly #deps: PageClientDeps
  readonly #server: KeyedServer
  readonly #limits: PageLimits

  constructor(deps: PageClientDeps, server: KeyedServer, limits = IMPORT_LIMITS) {
    this.#deps = deps
    this.#server = server
    this.#limits = limits
  }

  get title(): string {
    return this.#server.title
  }

  get say(): (sentence: string) => void {
    return this.#deps.say
  }

  get nowUs(): number {
    return this.#deps.clock.nowUs()
  }

  /** The page, parsed. Throws a refusal with a sentence that ends the import. */
  async get(request: PageRequest): Promise<unknown> {
    const { attempts } = this.#limits
    let lastTrouble = ''
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const answer = await this.#send(request)
      const outcome = pageOutcome(answer, this.#server, this.#deps.clock.nowUs())
      if ('page' in outcome) return outcome.page
      if ('refused' in outcome)
        throw new PageRefusal(outcome.refused, 'status' in answer ? answer.status : undefined)
      lastTrouble = outcome.trouble
      if (attempt < attempts) await this.#wait(outcome.trouble, outcome.retryUs, attempt)
    }
    if (attempts === 1) throw new Refusal('command_failed', `${lastTrouble}. Try again later.`)
    throw new Refusal(
      'command_failed',
      `${lastTrouble}, after ${attempts} requests. Run the import again later: ${AGAIN}`,
    )
  }

  async #wait(trouble: string, retryUs: number | undefined, attempt: number): Promise<void> {
    const { clock, wait, say } = this.#deps
    const nowUs = clock.nowUs()
    // What the source says, but never less than the doubled wait: it may say zero.
    const atUs = Math.max(retryUs ?? 0, nowUs + FIRST_WAIT_US * 2 ** (attempt - 1))
    const time = timeText(atUs, nowUs)
    if (atUs - nowUs > WAIT_US_MAX)
      throw new PageRefusal(`${trouble} until ${time}. Run the import again then: ${AGAIN}`, undefined)
    say(`${trouble}; going on at ${time}.`)
    await wait(Math.ceil((atUs - nowUs) / 1000))
  }

  #send({ path, query, headers }: PageRequest): Promise<PageAnswer> {
    const { url, ...server } = this.#server
    const text = new URLSearchParams({ ...query, ...server.query }).toString()
    const options = {
      accept: 'application/json',
      signal: new AbortController().signal,
      credentials: { ...headers, ...server.headers },
    }
    return this.#deps.client.get(`${url}${path}${text === '' ? '' : `?${text}`}`, options, (answer) =>
      readAnswer(answer, this.#limits.bytes),
    )
  }
}

async function readAnswer(answer: Answered | Failed, bytesMax: number): Promise<PageAnswer> {
  if ('failure' in answer) return answer
  const { status, headers, url } = answer
  const { location } = headers
  const isRedirect = status >= 300 && status < 400 && location !== undefined
  const redirect = isRedirect ? { redirectHost: hostOf(location, url) } : {}
  try {
    const bytes = Buffer.concat(await Array.fromAsync(answer.body(bytesMax + 1)))
    const isTooLarge = bytes.byteLength > bytesMax
    return { status, headers, ...redirect, text: isTooLarge ? undefined : new TextDecoder().decode(bytes) }
  } catch {
    return { failure: 'cut' }
  }
}

const SECOND_US = 1_000_000

/** With its day if that is not today. */
function timeText(us: number, nowUs: number): string {
  const text = isoMicroseconds(Math.ceil(us / SECOND_US) * SECOND_US)
  const day = text.slice(0, 10)
  const time = text.slice(11, 19)
  return day === isoMicroseconds(nowUs).slice(0, 10) ? `${time} UTC` : `${day} ${time} UTC`
}
