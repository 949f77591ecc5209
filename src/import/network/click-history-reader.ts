import { isObject } from '../../validation/is-object.ts'
import type { JsonObject } from '../files/json-pages.ts'
import { whyLeftOut } from '../left-out.ts'
import type { LinkSelection } from '../link-choices.ts'
import type { ClicksBy, SourceItem, SourceLink } from '../source.ts'
import { type PageClient, PageRefusal } from './page-client.ts'
import type { ClickApi, NetworkSource, PageRequest } from './source-api.ts'

// Days, countries, browsers and referrers are in no list of links: an API is requested for those of each link.

/** How much of the clicks of links is read from an API. */
export const CLICK_CHOICES = ['history', 'totals'] as const
export type ClickChoice = (typeof CLICK_CHOICES)[number]

const NOT_FOUND = 404

/** A service limits the requests of a month, and a history takes some for each link. A server of the user's own has no such limit. */
const usualChoice = ({ api }: NetworkSource): ClickChoice =>
  api.defaultUrl === undefined ? 'history' : 'totals'

/** `choice`: undefined for the usual one of the source. `selection`: nothing is requested for other links. */
type Reading = {
  client: PageClient
  source: NetworkSource
  choice: ClickChoice | undefined
  selection: LinkSelection
}

/** Reads them link by link, until the source refuses it. Without them, links come along with their totals. */
export class ClickHistoryReader {
  readonly #client: PageClient
  readonly #api: ClickApi | undefined
  readonly #nowUs: number
  readonly #choice: ClickChoice | undefined
  readonly #selection: LinkSelection
  #isRead: boolean
  /** Requests that the other choice would take. */
  #requestsLeftOut = 0
  /** What the source said when it refused. */
  #refusal: string | undefined

  constructor({ client, source, choice, selection }: Reading) {
    this.#client = client
    this.#api = source.api.clicks
    this.#nowUs = client.nowUs
    this.#choice = choice
    this.#selection = selection
    this.#isRead = (choice ?? usualChoice(source)) === 'history'
  }

  /** `items`: the links that one object of a list is. Its clicks belong to the first of them. */
  async withClicks(object: unknown, items: SourceItem[]): Promise<SourceItem[]> {
    const [first, ...others] = items
    if (this.#api === undefined || !isObject(object) || first === undefined || 'refused' in first)
      return items
    if (this.#isLeftOut(first.link)) return items
    const requests = this.#api.requests(object, this.#nowUs)
    if (requests === 0) return items
    if (!this.#isRead) this.#requestsLeftOut += requests
    const clicksBy = this.#isRead ? await this.#read(this.#api, object, first.at) : undefined
    if (clicksBy === undefined) return items
    // Some lists have no total, and some have one that is older than the clicks.
    const clicks = Math.max(first.link.clicks ?? 0, ...Object.values(clicksBy).map(sumOf))
    return [{ ...first, link: { ...first.link, clicks, clicksBy } }, ...others]
  }

  /** Says what is not known of the clicks, after all links: a notice of a wait replaces the one before. */
  end(): void {
    const { title, say } = this.#client
    if (this.#refusal !== undefined) say(this.#refusal)
    else if (this.#choice === undefined && this.#requestsLeftOut > 0)
      say(
        `Clicks come along without their days, countries and referrers. With "--clicks history" they are read too, by about ${this.#requestsLeftOut} more requests to ${title}.`,
      )
  }

  #isLeftOut({ isArchived = false, createdAt }: SourceLink): boolean {
    return whyLeftOut({ isArchived, createdAt }, this.#selection) !== undefined
  }

  async #read(api: ClickApi, link: JsonObject, at: string): Promise<ClicksBy | undefined> {
    const pages = { get: (request: PageRequest) => this.#client.get(request), nowUs: this.#nowUs }
    try {
      return await api.read(pages, link)
    } catch (error) {
      if (!(error instanceof PageRefusal)) throw error
      // The link was deleted in the meantime.
      if (error.status === NOT_FOUND) return undefined
      this.#isRead = false
      const { title } = this.#client
      const why = error.status === undefined ? error.message : `It answers with status ${error.status}.`
      this.#refusal = `${title} does not say when and where its links were clicked: from ${at} on, clicks come along as totals. ${why}`
      return undefined
    }
  }
}

const sumOf = (rows: readonly { clicks: number }[]): number =>
  rows.reduce((sum, { clicks }) => sum + clicks, 0)
