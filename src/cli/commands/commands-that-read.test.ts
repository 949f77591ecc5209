import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { useFolders } from '../../../test/rigs/use-rig.ts'
import { readConfig } from '../../config/config.ts'
import { manualClock } from '../../runtime/clock.ts'
import { openSqliteStore, storePath } from '../../store/sqlite/open-sqlite-store.ts'
import { withTables } from '../../store/with-tables.ts'
import { runCommand } from '../run-command.ts'
import { accountCommands } from './account-commands.ts'
import { domainCommands } from './domain-commands.ts'
import { keyCommands } from './key-commands.ts'
import { recountCommand } from './recount-command.ts'
import { reportCommands } from './report-commands.ts'
import { userCommands } from './user-commands.ts'
import { workspaceCommands } from './workspace-commands.ts'

const folders = useFolders()
const REFUSAL =
  'This command only reads, and the database must be migrated first. Start the server, which migrates it, then run this command again.'

test('the commands that only read refuse a database of an older version and leave it as it is', async () => {
  const dataDir = folders.make()
  await (await openSqliteStore(dataDir, 'same-thread')).close()
  for (const words of CALLS) expect(await complaintOf(dataDir, words)).not.toContain('migrated')

  const database = new Database(storePath(dataDir))
  database.run('DELETE FROM kysely_migration')
  database.close()
  const before = readFileSync(storePath(dataDir))
  for (const words of CALLS) expect([words, await complaintOf(dataDir, words)]).toEqual([words, REFUSAL])
  expect(readFileSync(storePath(dataDir)).equals(before)).toBe(true)
})

const COMMANDS = [
  ...accountCommands,
  ...userCommands,
  ...workspaceCommands,
  ...domainCommands,
  ...keyCommands,
  ...reportCommands,
  recountCommand,
]
const CALLS = [
  'account list',
  'user list',
  'workspace list',
  'workspace show 1',
  'domain list',
  'key list a@example.com',
  'report list',
  'recount --check',
]

async function complaintOf(dataDir: string, words: string): Promise<string> {
  const complaints: string[] = []
  const fail = () => Promise.reject(new Error('It was opened for writing.'))
  await runCommand(COMMANDS, words.split(' '), {
    readStore: (work) => withTables({ dataDir }, work),
    withStore: fail,
    withNewStore: fail,
    clock: manualClock(0),
    readConfig: () => readConfig({ DATA_DIR: dataDir }),
    print: () => {},
    complain: (line) => void complaints.push(line),
  })
  return complaints.join()
}
