import { COLUMN_KINDS } from '../../import/files/csv-columns.ts'
import { ENCODINGS } from '../../import/files/text-encoding.ts'
import { LEAVABLE } from '../../import/link-choices.ts'
import { SOURCES } from '../../import/sources/all-sources.ts'
import { FirstUses } from '../../store/sqlite/first-uses.ts'
import type { Command } from '../command.ts'
import { ImportReport } from '../import/import-report.ts'
import { openSources } from '../import/open-sources.ts'
import { RecordedImport } from '../import/recorded-import.ts'
import { choicesIn, conflictsIn } from '../import/choices-in.ts'
import { sendLinks } from '../import/send-links.ts'
import { SERVER_OPTIONS, serverOf } from '../links/call-api.ts'

const SOURCE_NAMES = Object.keys(SOURCES).join(', ')
const sourcesWhere = (isListed: (defaultUrl: string | undefined) => boolean): string =>
  Object.entries(SOURCES)
    .filter(([, { network }]) => network !== undefined && isListed(network.api.defaultUrl))
    .map(([name]) => name)
    .join(', ')

export const importCommand: Command = {
  name: 'import',
  words: ['<source>'],
  summary: `Import links from another program, by its API or from its files, on a running server: ${SOURCE_NAMES}.`,
  options: {
    file: {
      type: 'string',
      multiple: true,
      value: 'file',
      meaning: 'What was exported there, in place of --url. Pages of an API are several files.',
    },
    url: {
      type: 'string',
      value: 'url',
      meaning: `Where the API of the source is: for ${sourcesWhere((url) => url === undefined)}. Known of ${sourcesWhere((url) => url !== undefined)}.`,
    },
    key: {
      type: 'string',
      value: 'key',
      meaning: 'The key of that API; default: TERN_SOURCE_KEY, which other users of the machine do not see.',
    },
    clicks: {
      type: 'string',
      value: 'choice',
      meaning:
        'Of that API: history, with days, countries and referrers, by requests for each link (default for a server of your own), or totals (default for a service).',
    },
    list: {
      type: 'string',
      value: 'name',
      meaning:
        'Of that API: only the links of this group of Bitly, domain of Short.io or workspace of Rebrandly, by its name or ID.',
    },
    'dry-run': { type: 'boolean', meaning: 'Store nothing, and say what would become of each link.' },
    'on-conflict': {
      type: 'string',
      value: 'choice',
      meaning:
        'For a link that differs from the one with its code: skip (default), keep what is here and fill what is empty, replace, or move.',
    },
    'conflict-domain': {
      type: 'string',
      value: 'host',
      meaning: 'Where links go that are moved. One whose code is in use there too is refused.',
    },
    domain: { type: 'string', value: 'host', meaning: 'Where all links go, whatever the files say.' },
    folder: { type: 'string', value: 'name', meaning: 'The folder that all links go to.' },
    without: {
      type: 'string',
      multiple: true,
      value: 'what',
      meaning: `What does not come along: ${LEAVABLE.join(', ')}. Archived links are left out as a whole.`,
    },
    'created-from': {
      type: 'string',
      value: 'day',
      meaning: 'Links that were created before this day (UTC) are left out: 2024-01-01.',
    },
    'created-to': {
      type: 'string',
      value: 'day',
      meaning: 'Links that were created after this day (UTC) are left out.',
    },
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
      meaning: `If it is not recognized: ${ENCODINGS.join(', ')}.`,
    },
    'time-zone': {
      type: 'string',
      value: 'zone',
      meaning: 'Of a dump of YOURLS: the time zone of its database server, such as UTC or Europe/Berlin.',
    },
    json: { type: 'boolean', meaning: 'Print a line of JSON for each link, and one for the whole.' },
    ...SERVER_OPTIONS,
  },
  async run(call, { readConfig, clock, print, complain }) {
    const config = readConfig()
    const choices = choicesIn(call)
    const conflicts = conflictsIn(call)
    const sources = openSources(call, { config, clock, complain, selection: choices })
    const isDryRun = call.isSet('dry-run')
    const report = new ImportReport({ isJson: call.isSet('json'), isDryRun, print })
    const server = serverOf(call, config)
    const recorded = isDryRun ? undefined : new RecordedImport(server, call.words[0]!)
    const sending = {
      ...choices,
      server,
      report,
      recorded,
      options: { ...conflicts, dry_run: isDryRun },
      nowUs: clock.nowUs(),
      usedCodes: new FirstUses(),
      usedNames: new FirstUses(),
    }
    let isDone = false
    try {
      for await (const { path, description, items } of sources) {
        report.file(path, description)
        await sendLinks(sending, path, items)
        report.fileEnd(path)
      }
      isDone = true
    } finally {
      sending.usedCodes.close()
      sending.usedNames.close()
      await recorded?.end()
      // Also after a refusal: what was imported before it stays.
      if (isDone || !report.isEmpty) report.end(recorded?.id)
    }
  },
}
