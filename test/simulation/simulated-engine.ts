import { join } from 'node:path'
import { sql } from 'kysely'
import type { Files } from '../../src/clicks/journal/files.ts'
import { makeClicksFolder } from '../../src/clicks/parquet/click-files.ts'
import type {
  CallEngine,
  EngineAnswer,
  EngineApi,
  EngineMethods,
} from '../../src/clicks/parquet/engine-calls.ts'
import type { ClickFileEngine } from '../../src/clicks/parquet/keep-click-files.ts'
import { type ClickFile, finishFile, UNFINISHED } from '../../src/clicks/parquet/parquet-file.ts'
import { COUNT_COLUMNS, type FactCounts } from '../../src/clicks/facts/fact-columns.ts'
import type { ClickQuery, ClickRow, GroupKey } from '../../src/clicks/queries/click-query.ts'
import { dayOf, isoDay } from '../../src/runtime/clock.ts'
import type { CurrentDb } from '../../src/store/handles.ts'
import { writeAllAsync } from '../../src/store/files/write-all.ts'

/** A row of the table `clicks`. */
export type StoredClick = { id: number; link_id: number; clicked_at: number } & Record<
  string,
  string | number
>

type EngineDeps = {
  db: CurrentDb
  files: Files
  folder: string
  /** Of the next file. Names of the program are random. */
  newId(): string
}

/** Writes and reads files of clicks as the engine does, of the same names and in the same order of calls. Their contents are rows in JSON. */
export class SimulatedEngine implements ClickFileEngine {
  readonly #deps: EngineDeps

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  readonly #methods: Partial<EngineMethods> = {
    query: (input) => this.#answerOfFiles(input),
    closeClicks: ({ upToId }) => this.#close(upToId),
    rewriteFiles: (input) => this.#join(input),
    filesWith: (input) => this.#filesWith(input),
  }

  readonly call: CallEngine = async (name, input) => {
    const method = this.#methods[name] as ((input: unknown) => Promise<never>) | undefined
    if (method === undefined) throw new Error(`The simulation does not call ${name}.`)
    return method(input)
  }

  isSupported(): Promise<boolean> {
    return Promise.resolve(true)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #close(upToId: number): Promise<ClickFile[]> {
    const rows = await this.#deps.db
      .selectFrom('clicks')
      .selectAll()
      .where('id', '<=', upToId)
      .orderBy('id')
      .execute()
    const byDay = Map.groupBy(rows as StoredClick[], ({ clicked_at: at }) => dayOf(at))
    const closed: ClickFile[] = []
    for (const day of [...byDay.keys()].sort((a, b) => a - b)) closed.push(await this.#write(byDay.get(day)!))
    return closed
  }

  async #join({ names, forgotten = {} }: EngineApi['rewriteFiles']['input']): Promise<ClickFile | undefined> {
    const rows: StoredClick[] = []
    for (const name of names) rows.push(...(await this.#read(name, forgotten[name])))
    return rows.length === 0 ? undefined : this.#write(rows)
  }

  /** Without the clicks of these links. */
  async #read(name: string, forgotten: readonly number[] = []): Promise<StoredClick[]> {
    const path = join(this.#deps.folder, name)
    const bytes = await this.#deps.files.read(path, 0, await this.#deps.files.sizeOf(path))
    return clicksIn(bytes).filter(({ link_id: id }) => !forgotten.includes(id))
  }

  async #filesWith({ names, linkIds }: EngineApi['filesWith']['input']): Promise<string[]> {
    const holders: string[] = []
    for (const name of names)
      if ((await this.#read(name)).some(({ link_id: id }) => linkIds.includes(id))) holders.push(name)
    return holders
  }

  async #answerOfFiles({ query }: EngineApi['query']['input']): Promise<EngineAnswer> {
    const { rows: files } = await sql<{ name: string; forgotten: string }>`
      SELECT name, forgotten_links AS forgotten FROM click_files WHERE removed_at IS NULL ORDER BY name`.execute(
      this.#deps.db,
    )
    const clicks: StoredClick[] = []
    const unreadableFiles: string[] = []
    for (const { name, forgotten } of files)
      await this.#read(name, JSON.parse(forgotten)).then(
        (rows) => void clicks.push(...rows),
        () => void unreadableFiles.push(name),
      )
    const isOfLink = ({ link_id: id }: StoredClick) => query.linkIds!.includes(id)
    const groups = addedUp(clicks.filter(isOfLink), query)
    return { groups, files: files.map(({ name }) => name), unreadableFiles }
  }

  async #write(rows: readonly StoredClick[]): Promise<ClickFile> {
    const { files, folder, newId } = this.#deps
    const times = rows.map(({ clicked_at: at }) => at)
    const [from_us, to_us] = [Math.min(...times), Math.max(...times) + 1]
    const name = `${isoDay(dayOf(from_us))}-${newId()}.parquet`
    await makeClicksFolder(files, folder)
    const unfinished = join(folder, name + UNFINISHED)
    const file = await files.createNew(unfinished)
    try {
      await writeAllAsync(file, Buffer.from(JSON.stringify(rows)), 0)
      await finishFile(files, { folder, name })
    } catch (error) {
      await files.unlink(unfinished).catch(() => {})
      throw error
    }
    return { name, from_us, to_us, rows: rows.length, sha256: '' }
  }
}

function addedUp(clicks: readonly StoredClick[], { fromUs, stepUs = 1, groups }: ClickQuery): ClickRow[][] {
  const keyOf = (click: StoredClick, name: GroupKey) =>
    name === 'step' ? Math.floor((click.clicked_at - fromUs) / stepUs) : click[name]!
  return groups.map(({ by }) => {
    const byKeys = Map.groupBy(clicks, (click) => JSON.stringify(by.map((name) => keyOf(click, name))))
    return [...byKeys].map(([keys, ofKeys]) => {
      const sum = (name: (typeof COUNT_COLUMNS)[number]) =>
        ofKeys.reduce((total, click) => total + Number(click[name]), 0)
      const counts = Object.fromEntries(COUNT_COLUMNS.map((name) => [name, sum(name)])) as FactCounts
      return { keys: JSON.parse(keys), ...counts }
    })
  })
}

export const clicksIn = (file: Buffer): StoredClick[] => JSON.parse(file.toString())
