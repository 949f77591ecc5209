import { basename, dirname } from 'node:path'
import type { Files, WritableFile } from '../../src/clicks/journal/files.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedFile } from './simulated-file.ts'
import type { Fault, Operation, SimulatedProcess } from './simulated-process.ts'

/** One change of names: a file or a folder (null) appears, disappears, or, as a rename, both at once. */
type NameChange = { removed?: string; added?: string; file: SimulatedFile | null; isDurable: boolean }

/** What a sync does. Tests break it on purpose. */
export type SyncPolicy = 'honest' | 'lies about files' | 'lies about folders'

/** A copy of all folders and files, as of one moment. */
export type DiskCopy = ReadonlyMap<string, Buffer | null>

/**
 * A disk in memory that guarantees what POSIX guarantees and no more. Contents are durable after a sync of the file, names
 * after a sync of the folder. A power failure may drop any other change, each independently.
 */
export class SimulatedDisk {
  /** Beyond it, writes are short, then refused. */
  #bytesMax = Infinity
  readonly #syncPolicy: SyncPolicy
  #names = new Map<string, SimulatedFile | null>()
  #durableNames = new Map<string, SimulatedFile | null>()
  #nameChanges: NameChange[] = []
  #replacements = 0
  /** Segments are listed in the order of the ids in their names, which follow a clock that may jump. */
  readonly #ranks = new Map<string, number>()
  readonly #labels = new Map<string, string>()
  readonly #random: SeededRandom

  constructor(random: SeededRandom, folder: string, syncPolicy: SyncPolicy = 'honest') {
    this.#random = random
    this.#syncPolicy = syncPolicy
    this.#names.set(folder, null)
    this.#durableNames.set(folder, null)
  }

  filesFor(process: SimulatedProcess): Files {
    const call = process.call.bind(process)
    const label = (path: string) => this.labelOf(path)
    return {
      makeFolder: (path) => call('makeFolder', label(path), () => this.#makeFolder(path)),
      list: (folder) => call('list', label(folder), () => this.list(folder)),
      createNew: (path) => {
        const rank = this.#ranks.size
        this.#ranks.set(basename(path), this.#random.chance(0.1) ? this.#random.below(rank + 1) - 0.5 : rank)
        this.#labels.set(path.match(UUID)?.[0] ?? path, `S${rank + 1}`)
        return call('createNew', label(path), () => this.#open(process, path))
      },
      sizeOf: (path) => call('sizeOf', label(path), () => this.read(path).length),
      read: (path, offset, length) =>
        call('read', `${label(path)} ${offset}`, () =>
          Buffer.from(this.read(path).subarray(offset, offset + length)),
        ),
      replace: async (path, bytes) => {
        const next = `${path}.${this.#replacements++}.next`
        await call('replace', label(path), () => this.#appear(next, SimulatedFile.of(bytes)))
        await call('rename', label(path), () => this.#rename(next, path))
      },
      copy: (from, to) =>
        call('copy', label(from), () => {
          const copy = new SimulatedFile()
          copy.write(this.read(from), 0)
          this.#appear(to, copy)
        }),
      rename: (from, to) => call('rename', label(from), () => this.#rename(from, to)),
      unlink: (path) => call('unlink', label(path), () => this.unlink(path)),
      syncFile: async (path) => this.#syncFile(process, 'syncFile', { file: this.#file(path), path }),
      syncFolder: (folder) => {
        const sync = this.#startFolderSync(folder)
        return call('syncFolder', label(folder), sync)
      },
    }
  }

  /** How many more bytes fit. */
  limit(roomBytes: number): void {
    this.#bytesMax = this.#bytesUsed() + roomBytes
  }

  list(folder: string): string[] {
    const paths = [...this.#names.keys()].filter((path) => path !== folder && dirname(path) === folder)
    const rank = (name: string) => this.#ranks.get(name) ?? -1
    return paths.map((path) => basename(path)).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  }

  read(path: string): Buffer {
    return this.#file(path).content
  }

  unlink(path: string): void {
    this.#file(path)
    this.#change({ removed: path, file: null })
  }

  /** Changes the disk itself, not through a process. */
  overwrite(path: string, content: Buffer): void {
    this.#file(path).become(content)
  }

  losePower(): void {
    for (const change of this.#nameChanges)
      if (change.isDurable || this.#random.chance(0.5)) applyTo(this.#durableNames, change)
    // Without its folder, a file is missing too.
    for (const path of this.#durableNames.keys())
      if (!this.#isReachable(path)) this.#durableNames.delete(path)
    this.#names = new Map(this.#durableNames)
    this.#nameChanges = []
    for (const file of new Set(this.#names.values())) file?.losePower(this.#random)
  }

  copyAll(): DiskCopy {
    return new Map([...this.#names].map(([path, file]) => [path, file === null ? null : file.content]))
  }

  /** As an operator who replaces a folder, and all that is in it, by that of a backup. */
  restore(copy: DiskCopy, folder: string): void {
    const isIn = (path: string) => path === folder || path.startsWith(`${folder}/`)
    const others = [...this.#names].filter(([path]) => !isIn(path))
    const files = [...copy].flatMap(([path, content]): [string, SimulatedFile | null][] =>
      isIn(path) ? [[path, content === null ? null : SimulatedFile.of(content)]] : [],
    )
    this.#names = new Map([...others, ...files])
    this.#durableNames = new Map(this.#names)
    this.#nameChanges = []
  }

  /** Segments are labeled S1, S2 and so on, because their ids are random and the history must not be. */
  labelOf(path: string): string {
    return basename(path).replace(UUID, (id) => this.#labels.get(id) ?? id)
  }

  #open(process: SimulatedProcess, path: string): WritableFile {
    if (this.#names.has(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' })
    const file = new SimulatedFile()
    this.#appear(path, file)
    const label = this.labelOf(path)
    return {
      write: (bytes, position) =>
        process.call('write', `${label} ${position}+${bytes.length}`, (fault) =>
          this.#write(file, { bytes: bytes.subarray(0, sizeLeft(fault, bytes.length)), position }),
        ),
      truncate: (size) => process.call('truncate', `${label} ${size}`, () => file.truncate(size)),
      datasync: () => this.#syncFile(process, 'datasync', { file, path }),
      close: () => process.pause(),
    }
  }

  #syncFile(
    process: SimulatedProcess,
    operation: Operation,
    { file, path }: { file: SimulatedFile; path: string },
  ): Promise<void> {
    const sync = file.startSync()
    const answer = process.call(operation, this.labelOf(path), () => {
      if (this.#syncPolicy !== 'lies about files') sync.succeed()
    })
    answer.catch(() => sync.fail())
    return answer
  }

  #write(file: SimulatedFile, { bytes, position }: { bytes: Uint8Array; position: number }): number {
    const isFree = this.#bytesMax - this.#bytesUsed() + Math.max(0, file.content.length - position)
    if (bytes.length > 0 && isFree <= 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    const taken = bytes.subarray(0, Math.min(bytes.length, isFree))
    if (taken.length > 0) file.write(taken, position)
    return taken.length
  }

  #bytesUsed(): number {
    let used = 0
    for (const file of this.#names.values()) used += file?.content.length ?? 0
    return used
  }

  #file(path: string): SimulatedFile {
    const file = this.#names.get(path)
    if (file === undefined || file === null)
      throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
    return file
  }

  #makeFolder(path: string): void {
    if (!this.#names.has(path)) this.#change({ added: path, file: null })
  }

  #appear(path: string, file: SimulatedFile): void {
    if (!this.#names.has(dirname(path))) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
    this.#change({ added: path, file })
  }

  #rename(from: string, to: string): void {
    this.#change({ removed: from, added: to, file: this.#file(from) })
  }

  #change(change: Omit<NameChange, 'isDurable'>): void {
    const noted = { ...change, isDurable: false }
    this.#nameChanges.push(noted)
    applyTo(this.#names, noted)
  }

  #startFolderSync(folder: string): () => void {
    const isIn = (path: string | undefined) => path !== undefined && dirname(path) === folder
    const covered = this.#nameChanges.filter(({ removed, added }) => isIn(removed) || isIn(added))
    return () => {
      if (this.#syncPolicy !== 'lies about folders') for (const change of covered) change.isDurable = true
    }
  }

  #isReachable(path: string): boolean {
    const folder = dirname(path)
    return this.#durableNames.get(folder) === null || folder === dirname(folder)
  }
}

function applyTo(names: Map<string, SimulatedFile | null>, { removed, added, file }: NameChange): void {
  if (removed !== undefined) names.delete(removed)
  if (added !== undefined) names.set(added, file)
}

function sizeLeft(fault: Fault | undefined, size: number): number {
  if (fault === 'none') return 0
  return fault === 'short' ? size >> 1 : size
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
