import * as fs from 'node:fs'
import { promisify } from 'node:util'

/** The file system as the journal and its reader use it. Tests put one that fails in its place. */
export type Files = {
  makeFolder(path: string): Promise<void>
  list(folder: string): Promise<string[]>
  /** Fails if the file exists: a segment has one writer. */
  createNew(path: string): Promise<WritableFile>
  sizeOf(path: string): Promise<number>
  /** Fewer bytes than asked for if the file ends before. */
  read(path: string, offset: number, length: number): Promise<Buffer>
  /** Replaces the whole file atomically. */
  replace(path: string, bytes: Uint8Array): Promise<void>
  copy(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** Makes the contents survive a power failure, whichever process wrote them. */
  syncFile(path: string): Promise<void>
  /** Makes creations, renames and removals in the folder survive a power failure. */
  syncFolder(path: string): Promise<void>
}

export type WritableFile = {
  /** Returns how many bytes were written. A full disk takes fewer than asked, without an error. */
  write(bytes: Uint8Array, position: number): Promise<number>
  truncate(size: number): Promise<void>
  datasync(): Promise<void>
  close(): Promise<void>
}

// The calls that take a descriptor run on the runtime's thread pool: a hung disk never holds up the event loop.
const ftruncate = promisify(fs.ftruncate)
const fdatasync = promisify(fs.fdatasync)
const close = promisify(fs.close)

export const realFiles: Files = {
  makeFolder: async (path) => void (await fs.promises.mkdir(path, { recursive: true })),
  list: async (folder) => (await fs.promises.readdir(folder)).sort(),
  async createNew(path) {
    const descriptor = await promisify(fs.open)(path, 'wx', 0o640)
    return writableFile(descriptor!)
  },
  sizeOf: async (path) => (await fs.promises.stat(path)).size,
  async read(path, offset, length) {
    const handle = await fs.promises.open(path, 'r')
    try {
      const bytes = Buffer.allocUnsafe(length)
      const { bytesRead } = await handle.read(bytes, 0, length, offset)
      return bytes.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  },
  async replace(path, bytes) {
    // Two processes that count the same segment save the same dead letters.
    const next = `${path}.${crypto.randomUUID()}.next`
    try {
      await fs.promises.writeFile(next, bytes, { flush: true })
      await fs.promises.rename(next, path)
    } catch (error) {
      await fs.promises.rm(next, { force: true })
      throw error
    }
  },
  copy: (from, to) => fs.promises.copyFile(from, to),
  rename: (from, to) => fs.promises.rename(from, to),
  unlink: (path) => fs.promises.unlink(path),
  syncFile: sync,
  syncFolder: sync,
}

async function sync(path: string): Promise<void> {
  const handle = await fs.promises.open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

function writableFile(descriptor: number): WritableFile {
  return {
    write: (bytes, position) =>
      new Promise((resolve, reject) => {
        fs.write(descriptor, bytes, 0, bytes.length, position, (error, written) =>
          error ? reject(error) : resolve(written),
        )
      }),
    truncate: (size) => ftruncate(descriptor, size),
    datasync: () => fdatasync(descriptor),
    close: () => close(descriptor),
  }
}
