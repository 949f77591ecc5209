import { sql } from 'kysely'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import { isStoreUnavailable } from '../../../src/store/store-errors.ts'
import type { SeededRandom } from '../../simulation/seeded-random.ts'
import { movesClicks } from '../../robustness/driver/moving-clicks.ts'
import { Tern } from '../../robustness/driver/tern.ts'
import { openBatchCounter } from '../clicks/batch-counter.ts'
import { ClickHouseServer } from '../clicks/clickhouse-server.ts'
import type { Change } from '../program/changed-checkout.ts'
import { eventually } from '../eventually.ts'
import { asAnother, type OperatedFolder } from '../program/operated-folder.ts'
import { temporaryFolders } from '../temporary-folders.ts'
import { ClickColumns } from './click-columns.ts'
import { ClickTally } from './click-tally.ts'
import { differences } from './differences.ts'
import { isRefused, reportParts } from './expected-report.ts'
import { importClicks } from './imported-model.ts'
import { type HistoryLink, newLink, randomLink } from './modeled-links.ts'
import { journaledClick, RandomHistory, readJournaledAgent } from './random-history.ts'
import { pathOf, type Question } from './random-questions.ts'
import type { ReportWorld } from './report-selection.ts'

export type ReportedEngine = 'sqlite' | 'postgres' | 'clickhouse'

/** How many links each workspace has. */
const LINKS_OF = [60, 20, 5]
const DAY_US = 86_400_000_000
/** Clicks that are counted in one transaction, at most. */
const BATCH_MAX = 10_000

/** `counts`: how many clicks may have been counted when it was given. */
type Answer = { status: number; body: any; counts: number[] }

type WorldOptions = { clicks: number; random: SeededRandom }

/** The whole program with a history that is being counted, the same clicks in a list, and requests for reports. */
export class ReportedTern implements AsyncDisposable {
  readonly links: HistoryLink[] = []
  readonly history: RandomHistory
  readonly columns: ClickColumns
  readonly endUs = Math.floor(Date.now() / 1000) * 1_000_000
  readonly tern: Tern
  readonly #folders: OperatedFolder[]
  readonly #world: ReportWorld
  readonly #random: SeededRandom
  readonly #closing: AsyncDisposableStack
  #count: (clicks: ReturnType<typeof journaledClick>[]) => Promise<void> = async () => {}
  #store!: Store
  /** How many clicks each committed batch ends with. The last one may not be committed yet. */
  readonly #ends = [0]
  #counted = 0

  private constructor(
    { tern, folders, closing }: { tern: Tern; folders: OperatedFolder[]; closing: AsyncDisposableStack },
    { clicks, random }: WorldOptions,
  ) {
    this.tern = tern
    this.#folders = folders
    this.#closing = closing
    this.#random = random
    for (const [workspace, count] of LINKS_OF.entries())
      for (let at = 0; at < count; at++)
        this.links.push(randomLink(random, { workspace, code: `w${workspace}-${at}` }))
    this.links.sort((a, b) => Bun.hash.crc32(a.code) - Bun.hash.crc32(b.code))
    this.history = new RandomHistory(random.fork(), { clicks, endUs: this.endUs, links: this.links })
    this.columns = new ClickColumns(clicks, (link) => this.links[link]!.workspace)
    const { startUs } = this.history
    const workspaces = LINKS_OF.map(() => ({ createdAtUs: startUs + random.below(20) * DAY_US }))
    const baseUrl = `http://localhost:${tern.operator.port}`
    this.#world = { links: this.links, workspaces, host: new URL(baseUrl).host, baseUrl }
  }

  static async start(engine: ReportedEngine, options: WorldOptions): Promise<ReportedTern> {
    await using opened = new AsyncDisposableStack()
    const settings = engine === 'clickhouse' ? await clickHouseSettings(opened) : {}
    const world = engine === 'sqlite' ? {} : { postgres: {} }
    const tern = opened.use(
      await Tern.start({ ...world, settings, changes: reportedChanges(options.clicks) }),
    )
    const others = await Promise.all(
      LINKS_OF.slice(1).map((_, at) => asAnother(tern.operator, `owner${at}@example.com`)),
    )
    const parts = { tern, folders: [tern.operator, ...others], closing: opened.move() }
    const started = new ReportedTern(parts, options)
    await started.#makeLinks()
    return started
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#closing.disposeAsync().then(() => this.#store.close())
  }

  /** Of all short URLs. */
  get host(): string {
    return this.#world.host
  }

  /** Counts the next clicks of the history, in some transactions. */
  async countClicks(count: number): Promise<void> {
    for (let left = Math.min(count, this.history.left); left > 0;) {
      const clicks = this.history.next(Math.min(left, 1 + this.#random.below(Math.min(BATCH_MAX, count))))
      left -= clicks.length
      this.columns.addBatch(clicks)
      this.#ends.push(this.columns.count)
      await this.#countOnce(
        clicks.map((click) => {
          const { id, workspace } = this.links[click.link]!
          return journaledClick(click, { id, workspaceId: this.#folders[workspace]!.workspaceId })
        }),
      )
      this.#counted = this.columns.count
    }
  }

  /** As the program does, tries again when the store was not available. */
  async #countOnce(clicks: ReturnType<typeof journaledClick>[]): Promise<void> {
    const end = await eventually(
      () => this.#count(clicks).catch((error: unknown) => error),
      (error) => error === undefined || !isStoreUnavailable(error),
    )
    if (end !== undefined) throw end
  }

  /** Only between questions. */
  async deleteLink(link: HistoryLink): Promise<void> {
    const { status, body } = await this.#folders[link.workspace]!.api('DELETE', `/api/links/${link.code}`)
    if (status !== 200) throw new Error(`${link.code} was not deleted: ${status} ${body}`)
    link.isDeleted = true
  }

  /** What is wrong with the answer to a question; undefined if it is right for the clicks of some moment while it was answered. */
  async complaint(question: Question): Promise<object | undefined> {
    const path = pathOf(question, (link) => this.links[link]!.code)
    let least = 0
    let sentUs = 0
    const response = await eventually(
      () => {
        least = this.#counted
        sentUs = Date.now() * 1000
        return this.#folders[question.workspace]!.api('GET', path).catch((error: Error) => error)
      },
      // That it was made is stored, which the clicks that are being counted may delay too long; and a report may take too long.
      (answer) => !(answer instanceof Error) && answer.status !== 503,
    )
    if (response instanceof Error) throw response
    const { status, body } = response
    const counts = this.#ends.filter((end) => end >= least)
    const answer = { status, body: JSON.parse(body), counts }
    // An hour may have ended between the two.
    const complaints = [sentUs, Date.now() * 1000].map((nowUs) => this.#wrongPart(question, answer, nowUs))
    return complaints.includes(undefined) ? undefined : { path, ...complaints[0] }
  }

  #wrongPart(question: Question, { status, body, counts }: Answer, nowUs: number): object | undefined {
    const isInvalid = isRefused(question, this.#world, { nowUs })
    if (status !== (isInvalid ? 422 : 200)) return { status, body, isInvalid }
    const parts = isInvalid ? [] : reportParts(question, this.#world, { nowUs, body })
    for (const { selection, answered, expected } of parts) {
      const tally = new ClickTally(this.columns, selection)
      const expectations = counts.map((count) => expected(tally.continueTo(count)))
      if (!expectations.some((each) => Bun.deepEquals(each, answered)))
        return { counts, differences: differences(answered, expectations[0]) }
    }
    return undefined
  }

  /** How often clicks have moved into a file, or to ClickHouse. */
  async moves(): Promise<number> {
    const count = this.#isOnSqlite
      ? sql`SELECT count(*) AS moves FROM click_files`
      : sql`SELECT batch AS moves FROM clickhouse_progress`
    const { rows } = await count.execute(this.#store.db)
    return Number((rows[0] as { moves: number }).moves)
  }

  get #isOnSqlite(): boolean {
    return this.tern.operator.settings.DATABASE_URL === undefined
  }

  async #makeLinks(): Promise<void> {
    const { settings } = this.tern.operator
    const place = {
      dataDir: settings.DATA_DIR,
      databaseUrl: settings.DATABASE_URL,
      clickHouseUrl: settings.CLICKHOUSE_URL,
    }
    this.#store = await openStore(place, 'same-thread')
    const { db } = this.#store
    for (const [workspace, { workspaceId, api }] of this.#folders.entries()) {
      const links = this.links.filter((link) => link.workspace === workspace)
      const { status, body } = await api('POST', '/api/bulk-shorten', { links: links.map(newLink) })
      if (status !== 201) throw new Error(`The links were not made: ${status} ${body}`)
      const { createdAtUs } = this.#world.workspaces[workspace]!
      await db
        .updateTable('workspaces')
        .set({ created_at: createdAtUs })
        .where('id', '=', workspaceId)
        .execute()
    }
    for (const link of this.links) {
      const { id } = await db
        .selectFrom('links')
        .select('id')
        .where('code', '=', link.code)
        .executeTakeFirstOrThrow()
      link.id = id
      link.createdAtUs = this.history.startUs + this.#random.below(this.endUs - this.history.startUs)
      await db.updateTable('links').set({ created_at: link.createdAtUs }).where('id', '=', id).execute()
    }
    for (const [workspace, { api }] of this.#folders.entries()) {
      const links = this.links.filter((link) => link.workspace === workspace)
      await importClicks(links, { random: this.#random, startUs: this.history.startUs, api })
    }
    const counter = await openBatchCounter(this.#store, 'history', { readUserAgent: readJournaledAgent })
    this.#count = counter.count
  }
}

async function clickHouseSettings(opened: AsyncDisposableStack): Promise<{ CLICKHOUSE_URL: string }> {
  const folders = temporaryFolders()
  opened.defer(() => folders.remove())
  const server = await ClickHouseServer.start(folders.make())
  opened.defer(() => server.stop())
  return { CLICKHOUSE_URL: await server.makeDatabase() }
}

/** Of a history: parts that are moved at once. */
const MOVES = 30

/** Clicks move all the time; all of the history is of today for who counts visitors; and reports may take long. */
export function reportedChanges(clicks: number): Change[] {
  const movedAtOnce = Math.round(clicks / MOVES)
  const queries = 'src/clicks/queries/click-queries.ts'
  const postgres = 'src/store/postgres/open-postgres-store.ts'
  return [
    ...movesClicks({ leftOpen: movedAtOnce >> 2, movedAtOnce }),
    {
      path: 'src/background/jobs.ts',
      of: 'await forgetVisitors(relaxedDb, clock.nowUs())',
      instead: 'void forgetVisitors',
    },
    { path: queries, of: 'QUERY_MS_MAX = 10_000', instead: 'QUERY_MS_MAX = 300_000' },
    { path: postgres, of: 'REPORT_MS_MAX = 8_000', instead: 'REPORT_MS_MAX = 300_000' },
  ]
}
