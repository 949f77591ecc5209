import { Refusal } from '../errors/refusal.ts'
import { WindowLimit } from '../limits/window-limit.ts'
import type { Clock } from '../runtime/clock.ts'
import { WorkspacePlaces } from '../limits/workspace-places.ts'
import type { Answered, FailureReason, GuardedClient } from './guarded-client.ts'
import { pictureType } from './picture-type.ts'
import { readBytes } from './read-bytes.ts'
import type { Page, PageFacts } from './read-page.ts'

const PAGE_BYTES_MAX = 1024 * 1024
const PICTURE_BYTES_MAX = 512 * 1024
/** Pages and pictures: an editor looks at three for each link. */
const FETCHES_PER_MINUTE = 240
const MINUTE_MS = 60_000
const PLACES = { running: 16, runningOfOne: 4, waiting: 64, waitingOfOne: 12 }

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5'
const HTML_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const PICTURES = 'image/webp,image/png,image/jpeg'

/** What a destination answered. The facts are those of its page, if it is one. */
export type DestinationLook = Partial<PageFacts> & {
  /** After redirects. */
  url: string
  status: number | undefined
  failure: FailureReason | undefined
}

export type Picture = { type: string; bytes: Uint8Array }

export type DestinationPagesDeps = {
  client: GuardedClient
  clock: Clock
  /** What a hostile page costs must not delay others. */
  readPage(page: Page): Promise<PageFacts>
}

/** Looks at the pages that links lead to. Stores nothing. */
export class DestinationPages {
  readonly #client: GuardedClient
  readonly #readPage: DestinationPagesDeps['readPage']
  readonly #limit: WindowLimit
  readonly #places = new WorkspacePlaces(PLACES, 'Too many pages are being looked at.')
  readonly #closed = new AbortController()

  constructor({ client, clock, readPage }: DestinationPagesDeps) {
    this.#client = client
    this.#readPage = readPage
    this.#limit = new WindowLimit(clock, { windowMs: MINUTE_MS, max: FETCHES_PER_MINUTE })
  }

  look(workspaceId: number, url: string): Promise<DestinationLook> {
    return this.#bounded(workspaceId, () =>
      this.#client.get(url, { accept: HTML, signal: this.#closed.signal }, async (answer) => {
        if ('failure' in answer) return { ...answer, status: undefined }
        return {
          url: answer.url,
          status: answer.status,
          failure: undefined,
          ...(await this.#factsOf(answer)),
        }
      }),
    )
  }

  /** Undefined unless it is a PNG, JPEG or WebP of a moderate size. */
  picture(workspaceId: number, url: string): Promise<Picture | undefined> {
    return this.#bounded(workspaceId, () =>
      this.#client.get(url, { accept: PICTURES, signal: this.#closed.signal }, async (answer) => {
        if ('failure' in answer || !isSuccess(answer)) return undefined
        const bytes = await readBytes(answer.body(PICTURE_BYTES_MAX + 1))
        const type = pictureType(bytes)
        return type === undefined || bytes.byteLength > PICTURE_BYTES_MAX ? undefined : { type, bytes }
      }),
    )
  }

  /** What is under way ends at once. */
  close(): void {
    this.#closed.abort()
  }

  /** Of an error page nothing is read: its title is not the title of the destination. */
  async #factsOf(answer: Answered): Promise<PageFacts | undefined> {
    const contentType = answer.headers['content-type'] ?? ''
    if (!isSuccess(answer) || !HTML_TYPE.test(contentType)) return undefined
    const bytes = await readBytes(answer.body(PAGE_BYTES_MAX))
    return this.#readPage({ bytes, contentType, url: answer.url })
  }

  async #bounded<Value>(workspaceId: number, work: () => Promise<Value>): Promise<Value> {
    const { isAllowed, retryAfterSeconds } = this.#limit.count([{ key: `${workspaceId}`, times: 1 }])
    if (isAllowed) return this.#places.run(workspaceId, work)
    throw new Refusal('too_many_requests', 'Too many pages were looked at. Try again in a minute.', {
      retryAfterSeconds,
    })
  }
}

const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300
