import { type Files, realFiles, type WritableFile } from '../../../src/clicks/journal/files.ts'

export type FaultyOperation = 'createNew' | 'write' | 'truncate' | 'datasync' | 'syncFolder'

/**
 * 'fail': throws and does nothing. 'fail after doing it': the work is done, and the answer is an error all the same.
 * 'short': writes half of the bytes and says so. 'none': writes nothing and says so. 'hang': waits for `letGo`.
 */
export type Fault = 'fail' | 'fail after doing it' | 'short' | 'none' | 'hang'

type PlannedFault = { fault: Fault; operation: FaultyOperation | undefined; skip: number; times: number }

/** The real file system, with faults where the test plans them and a record of what was asked of it. */
export class FaultyFiles {
  readonly files: Files
  /** Names of the operations in the order of their calls. */
  readonly calls: FaultyOperation[] = []
  /** Files that were opened for writing and not closed yet. */
  openCount = 0
  readonly #planned: PlannedFault[] = []
  #hanging: PromiseWithResolvers<void>[] = []

  constructor() {
    this.files = {
      ...realFiles,
      createNew: (path) =>
        this.#call(
          'createNew',
          async () => this.#wrap(await realFiles.createNew(path)),
          () => undefined as never,
        ),
      syncFolder: (path) =>
        this.#call(
          'syncFolder',
          () => realFiles.syncFolder(path),
          async () => {},
        ),
    }
  }

  /** From the (skip + 1)-th call of the operation on, `times` calls have the fault. Without an operation: of any. */
  plan(fault: Fault, operation?: FaultyOperation, { skip = 0, times = 1 } = {}): void {
    this.#planned.push({ fault, operation, skip, times })
  }

  /** All hanging calls go on. */
  letGo(): void {
    for (const { resolve } of this.#hanging.splice(0)) resolve()
  }

  get hangingCount(): number {
    return this.#hanging.length
  }

  countOf(operation: FaultyOperation): number {
    return this.calls.filter((call) => call === operation).length
  }

  #wrap(file: WritableFile): WritableFile {
    this.openCount++
    return {
      write: (bytes, position) => {
        const part = (size: number) =>
          size === 0 ? Promise.resolve(0) : file.write(bytes.subarray(0, size), position)
        return this.#call(
          'write',
          () => part(bytes.length),
          (fault) => part(fault === 'short' ? bytes.length >> 1 : 0),
        )
      },
      truncate: (size) =>
        this.#call(
          'truncate',
          () => file.truncate(size),
          async () => {},
        ),
      datasync: () =>
        this.#call(
          'datasync',
          () => file.datasync(),
          async () => {},
        ),
      close: async () => {
        this.openCount--
        await file.close()
      },
    }
  }

  async #call<T>(
    operation: FaultyOperation,
    act: () => Promise<T>,
    less: (fault: Fault) => Promise<T>,
  ): Promise<T> {
    this.calls.push(operation)
    const fault = this.#faultOf(operation)
    if (fault === 'hang') {
      const hanging = Promise.withResolvers<void>()
      this.#hanging.push(hanging)
      await hanging.promise
    }
    if (fault === 'short' || fault === 'none') return less(fault)
    if (fault === 'fail after doing it') await closed(await act())
    if (fault?.startsWith('fail')) throw Object.assign(new Error(`EIO: ${operation}`), { code: 'EIO' })
    return act()
  }

  #faultOf(operation: FaultyOperation): Fault | undefined {
    const matching = this.#planned.filter((planned) => (planned.operation ?? operation) === operation)
    const due = matching.find(({ skip, times }) => skip === 0 && times > 0)
    for (const planned of matching) if (planned.skip > 0) planned.skip--
    if (due !== undefined) due.times--
    return due?.fault
  }
}

/** A file that was made by a call that says that it failed belongs to nobody. */
async function closed(made: unknown): Promise<void> {
  if (typeof made === 'object' && made !== null && 'close' in made) await (made as WritableFile).close()
}
