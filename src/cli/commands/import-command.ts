import { Refusal } from '../../errors/refusal.ts'
import { COLUMN_KINDS } from '../../import/files/csv-columns.ts'
import { openImportFile } from '../../import/files/import-file.ts'
import { SOURCES } from '../../import/sources/all-sources.ts'
import type { Source } from '../../import/source.ts'
import { FirstUses } from '../../store/sqlite/first-uses.ts'
import type { Call, Command } from '../command.ts'
import { ImportReport } from '../import/import-report.ts'
import { sendLinks } from '../import/send-links.ts'
import { SERVER_OPTIONS, serverOf } from '../links/call-api.ts'

const SOURCE_NAMES = Object.keys(SOURCES).join(', ')

export const importCommand: Command = {
  name: 'import',
  words: ['<source>'],
  summary: `Import links from the files of another program, on a running server: ${SOURCE_NAMES}.`,
  options: {
    file: {
      type: 'string',
      multiple: true,
      value: 'file',
      meaning: 'What was exported there. Pages of an API are several files.',
    },
    'dry-run': { type: 'boolean', meaning: 'Store nothing, and say what would become of each link.' },
    'on-conflict': {
      type: 'string',
      value: 'choice',
      meaning:
        'For a link that differs from the one with its code: skip (default), keep what is here and fill what is empty, or replace.',
    },
    domain: { type: 'string', value: 'host', meaning: 'Where all links go, whatever the files say.' },
    column: {
      type: 'string',
      multiple: true,
      value: 'what=column',
      meaning: `Of CSV: which column has what, by name or number. What: ${COLUMN_KINDS.join(', ')}.`,
    },
    delimiter: {
      type: 'string',
      value: 'character',
      meaning: 'Of CSV, if it is not recognized; tab is a word.',
    },
    encoding: {
      type: 'string',
      value: 'name',
      meaning: 'If it is not recognized: utf-8, utf-16le, utf-16be or windows-1252.',
    },
    'time-zone': {
      type: 'string',
      value: 'zone',
      meaning: 'Of a dump of YOURLS: the time zone of its database server, such as UTC or Europe/Berlin.',
    },
    json: { type: 'boolean', meaning: 'Print a line of JSON for each link, and one for the whole.' },
    ...SERVER_OPTIONS,
  },
  async run(call, { readConfig, clock, print }) {
    const source = sourceNamed(call.words[0]!)
    const paths = call.texts('file')
    if (paths.length === 0) throw new Refusal('command_failed', 'Name the file to import with --file.')
    const isDryRun = call.isSet('dry-run')
    const report = new ImportReport({ isJson: call.isSet('json'), isDryRun, print })
    const sending = {
      server: serverOf(call, readConfig()),
      report,
      options: { on_conflict: call.text('on-conflict'), dry_run: isDryRun },
      domain: call.text('domain'),
      nowUs: clock.nowUs(),
      usedCodes: new FirstUses(),
    }
    let hasBegun = false
    try {
      for (const path of paths) {
        const { description, items } = await source.open(await openImportFile(path), sourceOptions(call))
        report.file(path, description)
        hasBegun = true
        await sendLinks(sending, path, items)
      }
    } finally {
      sending.usedCodes.close()
      // Also after a refusal: what was imported before it stays.
      if (hasBegun) report.end()
    }
  },
}

function sourceNamed(name: string): Source {
  if (!Object.hasOwn(SOURCES, name))
    throw new Refusal('command_failed', `There is no source "${name}". There are: ${SOURCE_NAMES}.`)
  return SOURCES[name]!
}

function sourceOptions(call: Call) {
  const columns = call.texts('column').map((text): [string, string] => {
    const [what = '', ...column] = text.split('=')
    if (column.length === 0) throw new Refusal('command_failed', 'Write --column as what=column: code=Slug.')
    return [what.trim(), column.join('=').trim()]
  })
  return {
    columns: new Map(columns),
    delimiter: call.text('delimiter'),
    encoding: call.text('encoding'),
    timeZone: call.text('time-zone'),
  }
}
