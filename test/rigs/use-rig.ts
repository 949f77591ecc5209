import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { closeAtEnd } from '../process-end.ts'
import { temporaryFolders } from './temporary-folders.ts'

/** Started before the tests of a suite and stopped after them. Its properties are there once the tests run. */
export function useRig<Rig extends { stop(): Promise<void> }>(start: () => Promise<Rig>): Rig {
  const rig = usePrepared(start)
  afterAll(() => rig.stop())
  return rig
}

/** Starts what all suites of a process share at the first call, and stops it after the last suite. */
export function onceForAll<Rig extends { stop(): Promise<void> }>(start: () => Promise<Rig>) {
  let started: Promise<Rig> | undefined
  const startNow = async () => {
    const rig = await start()
    closeAtEnd(() => rig.stop())
    return rig
  }
  return () => (started ??= startNow())
}

/** What is made before the tests of a suite, after everything that was asked for above it. */
export function usePrepared<Prepared extends object>(prepare: () => Promise<Prepared>): Prepared {
  const prepared = {} as Prepared
  beforeAll(async () => {
    Object.assign(prepared, await prepare())
  })
  return prepared
}

/** Opened before the tests of a suite, with a folder of its own, and closed after them. */
export function usePerSuite<Opened extends object>(
  open: (folder: string) => Promise<Opened>,
  close: (opened: Opened) => Promise<void>,
): Opened {
  const folders = temporaryFolders()
  const opened = usePrepared(() => open(folders.make()))
  afterAll(async () => {
    await close(opened)
    folders.remove()
  })
  return opened
}

/** Opened for each test of a suite, with a folder of its own, and closed after it. */
export function usePerTest<Opened extends object>(
  open: (folder: string) => Promise<Opened>,
  close: (opened: Opened) => Promise<void>,
): Opened {
  const folders = temporaryFolders()
  const opened = {} as Opened
  beforeEach(async () => {
    Object.assign(opened, await open(folders.make()))
  })
  afterEach(async () => {
    await close(opened)
    folders.remove()
  })
  return opened
}

/** Folders for one test each, removed after it. */
export function useFolders() {
  const folders = temporaryFolders()
  afterEach(folders.remove)
  return folders
}

/** Folders for all tests of a suite, removed after them. */
export function useSharedFolders() {
  const folders = temporaryFolders()
  afterAll(folders.remove)
  return folders
}
