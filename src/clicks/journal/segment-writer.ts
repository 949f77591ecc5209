import { join } from 'node:path'
import { writeAllAsync } from '../../store/files/write-all.ts'
import type { Files, WritableFile } from './files.ts'
import { encodeHeader, encodeSeal, HEADER_BYTES, SEGMENT_SUFFIX, type SegmentHeader } from './segment.ts'

/** What a write waits for: the operating system, or the disk. */
export type Sync = 'os' | 'disk'

type SegmentWriterSettings = { folder: string; header: SegmentHeader; sync: Sync }

/**
 * One segment while its process writes it. Everything before `position` is whole and acknowledged.
 *
 *   open ──(seal)──▶ sealed
 *    └──(cannot be truncated, or the disk refuses to sync it)──▶ unusable: what is there stays, nothing is added
 */
export class SegmentWriter {
  readonly header: SegmentHeader
  readonly path: string
  readonly #file: WritableFile
  readonly #sync: Sync
  #position = HEADER_BYTES
  #syncedPosition = 0
  #clicks = 0
  #isUsable = true

  private constructor(file: WritableFile, path: string, { header, sync }: SegmentWriterSettings) {
    this.#file = file
    this.path = path
    this.header = header
    this.#sync = sync
  }

  static async create(files: Files, settings: SegmentWriterSettings): Promise<SegmentWriter> {
    const path = join(settings.folder, settings.header.segment + SEGMENT_SUFFIX)
    const file = await files.createNew(path)
    try {
      await writeAllAsync(file, encodeHeader(settings.header), 0)
      if (settings.sync === 'disk') await file.datasync()
      await files.syncFolder(settings.folder)
    } catch (error) {
      await file.close().catch(() => {})
      await files.unlink(path).catch(() => {})
      throw error
    }
    return new SegmentWriter(file, path, settings)
  }

  get position(): number {
    return this.#position
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  /** Writes all of the frames, or none and throws. */
  async append(frames: Uint8Array, clicks: number): Promise<void> {
    await this.#write(frames, this.#sync)
    this.#clicks += clicks
  }

  /** Makes what was written so far survive a power failure. */
  async syncToDisk(): Promise<void> {
    const position = this.#position
    if (this.#syncedPosition === position || !this.#isUsable) return
    await this.#datasync()
    this.#syncedPosition = position
  }

  /** Writes the number of clicks, if possible, and closes the file. */
  async seal(): Promise<void> {
    if (this.#isUsable) await this.#write(encodeSeal(this.#clicks), 'disk').catch(() => {})
    await this.close()
  }

  /** Truncates to what was acknowledged, syncs and closes, as far as the disk allows. */
  async close(): Promise<void> {
    if (!this.#isUsable) await this.#cutBack()
    if (this.#syncedPosition !== this.#position) await this.#file.datasync().catch(() => {})
    await this.#file.close().catch(() => {})
  }

  async #write(bytes: Uint8Array, sync: Sync): Promise<void> {
    try {
      await writeAllAsync(this.#file, bytes, this.#position)
      if (sync === 'disk') await this.#datasync()
    } catch (error) {
      await this.#cutBack()
      throw error
    }
    this.#position += bytes.length
    if (sync === 'disk') this.#syncedPosition = this.#position
  }

  /**
   * After a failed fsync the kernel may have dropped the pages and marked them clean, so a later fsync of the same file
   * proves nothing, and the file must not be written to again.
   */
  async #datasync(): Promise<void> {
    try {
      await this.#file.datasync()
    } catch (error) {
      this.#isUsable = false
      throw error
    }
  }

  /** Removes what was refused, of which a part may be in the file. */
  async #cutBack(): Promise<void> {
    try {
      await this.#file.truncate(this.#position)
    } catch {
      this.#isUsable = false
    }
  }
}
