import { afterEach, beforeEach } from 'bun:test'
import { temporaryFolders } from '../temporary-folders.ts'
import { type Ended, runTern } from './server-process.ts'

/** `tern` with a data folder that each test has for itself; `create` makes an account. */
export function useTernCommand() {
  const folders = temporaryFolders()
  const tern = (...words: string[]): Promise<Ended> => runTern(words, { DATA_DIR: rig.dataDir })
  const rig = {
    dataDir: '',
    tern,
    json: async (...words: string[]): Promise<any> => JSON.parse((await tern(...words, '--json')).output),
    create: (email: string, ...options: string[]) =>
      tern('account', 'create', email, '--name', 'Ann', '--password', 'correct horse battery', ...options),
  }
  beforeEach(() => void (rig.dataDir = folders.make()))
  afterEach(folders.remove)
  return rig
}

/** What it printed, without the line break at the end. */
export const done = (output: string): Ended => ({ exitCode: 0, output: `${output}\n`, complaints: '' })

/** Each complaint on a line. */
export const refused = (...complaints: string[]): Ended => ({
  exitCode: 1,
  output: '',
  complaints: complaints.map((line) => `${line}\n`).join(''),
})
