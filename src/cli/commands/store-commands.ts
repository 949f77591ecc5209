import { SIGN_IN_TABLES } from '../../backups/end-sign-ins.ts'
import { realFiles } from '../../clicks/journal/files.ts'
import { openClosedClicks } from '../../clicks/parquet/open-closed-clicks.ts'
import { otherNodes } from '../../clicks/ingest/other-nodes.ts'
import { journalFolder } from '../../clicks/journal/open-journal.ts'
import { jsonLog } from '../../runtime/log.ts'
import { type MoveLocation, nameOf, parseLocation } from '../../store/move/move-location.ts'
import { type MovedStoreReport, moveStore } from '../../store/move/move-store.ts'
import { type MoveProgress, throttleProgress } from '../../store/move/progress.ts'
import { reopenStore } from '../../store/move/reopen-store.ts'
import { openStoreReader } from '../../store/open-store-reader.ts'
import type { Command } from '../command.ts'

const PLACE = 'sqlite:<data folder>, postgres://… or DATABASE_URL'

const moveCommand: Command = {
  name: 'store move',
  summary:
    'Move all data between SQLite and PostgreSQL. Redirects keep working; changes are refused until it is done.',
  options: {
    from: { type: 'string', value: 'store', meaning: `Where the data is now: ${PLACE}.` },
    to: {
      type: 'string',
      value: 'store',
      meaning: 'Where to move it: an empty place, written the same way.',
    },
    json: { type: 'boolean', meaning: 'Print JSON, one line per step and one at the end.' },
  },
  async run(call, { readConfig, clock, print }) {
    const { databaseUrl, logLevel } = readConfig()
    const from = parseLocation(call.text('from'), databaseUrl)
    const to = parseLocation(call.text('to'), databaseUrl)
    const isJson = call.isSet('json')
    const showProgress = (progress: MoveProgress) =>
      print(isJson ? JSON.stringify(progress) : progressLine(progress))
    const log = jsonLog(logLevel, 'command')
    const openFiles = (dataDir: string) => openClosedClicks(dataDir, { clock, log })
    const deps = { clock, report: throttleProgress(clock, showProgress), openClosedClicks: openFiles }
    const report = await moveStore(deps, { from, to })
    const nodes = await nodesLeftBehind(to)
    if (isJson) print(JSON.stringify({ step: 'finished', ...report, nodes }))
    else for (const line of [...reportLines(report), ...nodeLines(to, nodes)]) print(line)
  },
}

/** SQLite serves one node: the uncounted journals of the others must be moved to its folder. */
async function nodesLeftBehind(to: MoveLocation): Promise<string[]> {
  if (to.engine === 'postgres') return []
  const reader = openStoreReader(to.dataDir)
  try {
    return await otherNodes({ db: reader.db, files: realFiles }, journalFolder(to.dataDir))
  } finally {
    await reader.close()
  }
}

function progressLine(progress: MoveProgress): string {
  if (progress.step === 'indexes') return 'Creating the indexes.'
  if (!('table' in progress)) return 'All rows are written. Reading both sides again to compare them.'
  const { step, table, rows, of } = progress
  const percent = of === 0 ? 100 : Math.floor((rows / of) * 100)
  return `${step === 'copy' ? 'Copying' : 'Comparing'} ${table}: ${rows} of ${of} rows, ${percent} %.`
}

function reportLines({ from, to, tables, wasFinished }: MovedStoreReport): string[] {
  if (wasFinished) return [`Everything was already moved from ${from} to ${to}. There is nothing left to do.`]
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return [
    `Moved ${tables.length} tables with ${rows} rows from ${from} to ${to}, and compared both sides: they are identical.`,
    to.startsWith('sqlite:')
      ? 'Restart the server without DATABASE_URL and with DATA_DIR set to that folder.'
      : 'Restart the server with DATABASE_URL set to it and the same DATA_DIR.',
    'Until then it keeps redirecting, keeps its clicks in the journal, and refuses changes.',
  ]
}

function nodeLines(to: MoveLocation, nodes: readonly string[]): string[] {
  if (to.engine === 'postgres' || nodes.length === 0) return []
  const folder = journalFolder(to.dataDir)
  return [
    `Clicks of ${nodes.join(', ')} may not be counted yet. Stop all other nodes and copy the files of their journal folders into ${folder} before you start the server.`,
  ]
}

const reopenCommand: Command = {
  name: 'store reopen',
  words: ['<store>'],
  summary:
    'Reopen a store that was moved away, as it was at that time. Later changes stay where it was moved to.',
  options: { json: { type: 'boolean', meaning: 'Print JSON.' } },
  async run(call, { readConfig, print }) {
    const place = parseLocation(call.words[0], readConfig().databaseUrl)
    const movedTo = await reopenStore(place, SIGN_IN_TABLES)
    if (call.isSet('json')) return print(JSON.stringify({ reopened: nameOf(place), movedTo }))
    print(`The store in ${nameOf(place)} is open again, as it was when it was moved to ${movedTo}.`)
    print('All users are signed out. Emailed links, invitations and recovery codes no longer work.')
    print(`Do not start a server on ${movedTo} again: it is a different store from now on.`)
  },
}

export const storeCommands: Command[] = [moveCommand, reopenCommand]
