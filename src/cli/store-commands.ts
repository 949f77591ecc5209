import { SIGN_IN_TABLES } from '../backups/end-sign-ins.ts'
import { realFiles } from '../clicks/files.ts'
import { nodesElsewhere } from '../clicks/nodes-elsewhere.ts'
import { journalFolder } from '../clicks/open-journal.ts'
import { type MovePlace, nameOf, readPlace } from '../store/move/move-place.ts'
import { type MovedStoreReport, moveStore } from '../store/move/move-store.ts'
import { type MoveProgress, tellSeldom } from '../store/move/progress.ts'
import { reopenStore } from '../store/move/reopen-store.ts'
import { openStoreReader } from '../store/open-store-reader.ts'
import type { Command } from './command.ts'

const PLACE = 'sqlite:<data folder>, postgres://… or DATABASE_URL'

const moveCommand: Command = {
  name: 'store move',
  summary:
    'Move everything between SQLite and PostgreSQL, while the server redirects on and takes no changes.',
  options: {
    from: { type: 'string', value: 'store', meaning: `Where everything is: ${PLACE}.` },
    to: {
      type: 'string',
      value: 'store',
      meaning: 'Where it is to go: an empty place, named in the same way.',
    },
    json: { type: 'boolean', meaning: 'Print JSON, a line for each step and one for the end.' },
  },
  async run(call, { readConfig, clock, print }) {
    const { databaseUrl } = readConfig()
    const from = readPlace(call.text('from'), databaseUrl)
    const to = readPlace(call.text('to'), databaseUrl)
    const isJson = call.isSet('json')
    const tell = (progress: MoveProgress) => print(isJson ? JSON.stringify(progress) : progressLine(progress))
    const report = await moveStore({ clock, tell: tellSeldom(clock, tell) }, { from, to })
    const nodes = await nodesLeftBehind(to)
    if (isJson) print(JSON.stringify({ step: 'finished', ...report, nodes }))
    else for (const line of [...reportLines(report), ...nodeLines(to, nodes)]) print(line)
  },
}

/** SQLite serves one node: what others have journaled and not counted has to come to its folder. */
async function nodesLeftBehind(to: MovePlace): Promise<string[]> {
  if (to.engine === 'postgres') return []
  const reader = openStoreReader(to.dataDir)
  try {
    return await nodesElsewhere({ db: reader.db, files: realFiles }, journalFolder(to.dataDir))
  } finally {
    await reader.close()
  }
}

function progressLine(progress: MoveProgress): string {
  if (progress.step === 'indexes') return 'Making the indexes.'
  if (!('table' in progress)) return 'All is written. Reading both again, to compare.'
  const { step, table, rows, of } = progress
  const percent = of === 0 ? 100 : Math.floor((rows / of) * 100)
  return `${step === 'copy' ? 'Copying' : 'Comparing'} ${table}: ${rows} of ${of} rows, ${percent} %.`
}

function reportLines({ from, to, tables, wasFinished }: MovedStoreReport): string[] {
  if (wasFinished) return [`Everything was moved from ${from} to ${to} before; there is nothing left to do.`]
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return [
    `Moved ${tables.length} tables with ${rows} rows from ${from} to ${to}, and read both again: they are the same.`,
    to.startsWith('sqlite:')
      ? 'Restart the server without DATABASE_URL, with DATA_DIR that folder.'
      : 'Restart the server with DATABASE_URL set to it, and the same DATA_DIR.',
    'Until then it redirects on, keeps its clicks in the journal, and takes no changes.',
  ]
}

function nodeLines(to: MovePlace, nodes: readonly string[]): string[] {
  if (to.engine === 'postgres' || nodes.length === 0) return []
  const folder = journalFolder(to.dataDir)
  return [
    `Clicks of ${nodes.join(', ')} may not be counted yet: stop all other nodes, and copy the files of their journal folders into ${folder} before the server is started.`,
  ]
}

const reopenCommand: Command = {
  name: 'store reopen',
  words: ['<store>'],
  summary:
    'Use a store again that was moved away, as it was then: all that has changed since stays where it went.',
  options: { json: { type: 'boolean', meaning: 'Print JSON.' } },
  async run(call, { readConfig, print }) {
    const place = readPlace(call.words[0], readConfig().databaseUrl)
    const movedTo = await reopenStore(place, SIGN_IN_TABLES)
    if (call.isSet('json')) return print(JSON.stringify({ reopened: nameOf(place), movedTo }))
    print(`The store in ${nameOf(place)} is in use again, as it was when it was moved to ${movedTo}.`)
    print('Everybody is signed out; mailed links, invitations and recovery codes are good no more.')
    print(`Start no server on ${movedTo} any more: it is another store from now on.`)
  },
}

export const storeCommands: Command[] = [moveCommand, reopenCommand]
