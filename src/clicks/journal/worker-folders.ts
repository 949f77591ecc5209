import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { journalFolder } from './open-journal.ts'

const WORKERS = 'workers'

/** The folder of a worker, for its journal, code log and known links. Numbers begin at 1. */
export const workerFolder = (dataDir: string, worker: number): string =>
  join(dataDir, WORKERS, String(worker))

/** The data folder and all worker folders, whatever is in them. */
export function nodeFolders(dataDir: string): string[] {
  const parent = join(dataDir, WORKERS)
  const names = existsSync(parent) ? readdirSync(parent).filter((name) => /^[1-9]\d*$/.test(name)) : []
  const workers = names.map(Number).toSorted((a, b) => a - b)
  return [dataDir, ...workers.map((worker) => workerFolder(dataDir, worker))]
}

const foldersWithJournal = (dataDir: string): string[] =>
  nodeFolders(dataDir).filter((folder) => existsSync(journalFolder(folder)))

/** Folders of workers that no longer run, given the folders of those that do. */
export function leftFolders(dataDir: string, served: readonly string[]): string[] {
  return foldersWithJournal(dataDir).filter((folder) => !served.includes(folder))
}
