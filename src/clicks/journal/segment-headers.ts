import type { Log } from '../../runtime/log.ts'
import type { Files } from './files.ts'
import { decodeHeader, HEADER_BYTES, type SegmentHeader } from './segment.ts'
import { whenMissing } from '../../store/files/when-missing.ts'

type HeadsDeps = { files: Pick<Files, 'read'>; log: Pick<Log, 'error'> }

/** Reads the headers of segments. Each one that cannot be used is logged once. */
export class SegmentHeaders {
  readonly #deps: HeadsDeps
  readonly #alarmed = new Set<string>()

  constructor(deps: HeadsDeps) {
    this.#deps = deps
  }

  /** For a file from a folder listing: it may have been removed since, or its creation was cut off. */
  async find(path: string): Promise<SegmentHeader | undefined> {
    const head = await this.#read(path)
    // It holds no click, so there is nothing to log.
    return head.length < HEADER_BYTES ? undefined : this.#decode(head, path)
  }

  /** For a file that the journal has announced: its header must be there. */
  async read(path: string): Promise<SegmentHeader | undefined> {
    return this.#decode(await this.#read(path), path)
  }

  #read(path: string): Promise<Buffer> {
    return this.#deps.files.read(path, 0, HEADER_BYTES).catch(whenMissing(Buffer.alloc(0)))
  }

  #decode(head: Buffer, path: string): SegmentHeader | undefined {
    const header = decodeHeader(head)
    if (typeof header === 'object') return header
    if (!this.#alarmed.has(path)) {
      this.#alarmed.add(path)
      const why =
        header === 'newer' ? 'was written by a newer version and waits for it' : 'has no readable header'
      this.#deps.log.error(`A journal segment ${why}.`, { path })
    }
    return undefined
  }
}
