import { join } from 'node:path'
import type { Files } from '../../src/clicks/journal/files.ts'
import { makeClicksFolder } from '../../src/clicks/parquet/click-files.ts'
import type { CallEngine } from '../../src/clicks/parquet/engine-calls.ts'
import type { ClickFileEngine } from '../../src/clicks/parquet/keep-click-files.ts'
import { type ClickFile, finishFile, UNFINISHED } from '../../src/clicks/parquet/parquet-file.ts'
import { dayOf, isoDay } from '../../src/runtime/clock.ts'
import type { CurrentDb } from '../../src/store/handles.ts'
import { writeAllAsync } from '../../src/store/files/write-all.ts'

/** A row of the table `clicks`. */
export type StoredClick = { id: number; clicked_at: number } & Record<string, string | number>

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

  readonly call: CallEngine = async (name, input) => {
    if (name === 'closeClicks') return (await this.#close((input as { upToId: number }).upToId)) as never
    if (name === 'rewriteFiles') return (await this.#join((input as { names: string[] }).names)) as never
    throw new Error(`The simulation does not call ${name}.`)
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

  async #join(names: readonly string[]): Promise<ClickFile> {
    const rows: StoredClick[] = []
    for (const name of names) {
      const path = join(this.#deps.folder, name)
      const bytes = await this.#deps.files.read(path, 0, await this.#deps.files.sizeOf(path))
      rows.push(...clicksIn(bytes))
    }
    return this.#write(rows)
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

export const clicksIn = (file: Buffer): StoredClick[] => JSON.parse(file.toString())
