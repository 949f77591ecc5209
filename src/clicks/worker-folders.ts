import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { journalFolder } from './open-journal.ts'

const WORKERS = 'workers'

/** Where the worker of this number has its journal, code log and known links; numbers begin at 1. */
export const workerFolder = (dataDir: string, worker: number): string =>
  join(dataDir, WORKERS, String(worker))

/** Every folder below, or the data folder itself, that has a journal. */
export function foldersWithJournal(dataDir: string): string[] {
  const parent = join(dataDir, WORKERS)
  const names = existsSync(parent) ? readdirSync(parent).filter((name) => /^[1-9]\d*$/.test(name)) : []
  const workers = names.map(Number).toSorted((a, b) => a - b)
  return [dataDir, ...workers.map((worker) => workerFolder(dataDir, worker))].filter((folder) =>
    existsSync(journalFolder(folder)),
  )
}

/** Those that nobody serves when these are served. */
export function leftFolders(dataDir: string, served: readonly string[]): string[] {
  return foldersWithJournal(dataDir).filter((folder) => !served.includes(folder))
}
