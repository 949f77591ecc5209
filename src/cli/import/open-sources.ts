import type { Config } from '../../config/config.ts'
import { foreignKey } from '../../config/setting-kinds.ts'
import { Refusal } from '../../errors/refusal.ts'
import { openImportFile } from '../../import/files/import-file.ts'
import { CLICK_CHOICES, type ClickChoice } from '../../import/network/click-history-reader.ts'
import { commandClient, openNetworkSource } from '../../import/network/open-network-source.ts'
import type { LinkSelection } from '../../import/link-choices.ts'
import type { NetworkSource } from '../../import/network/source-api.ts'
import { SOURCES } from '../../import/sources/all-sources.ts'
import type { OpenedFile, OpenedSource, Source } from '../../import/source.ts'
import type { Call, CommandDeps } from '../command.ts'
import { choiceIn } from './choices-in.ts'

/** What is read one after the other. `path`: the file, or the URL of an API. */
export type OpenedSources = AsyncIterable<OpenedSource & { path: string }>

type Deps = Pick<CommandDeps, 'clock' | 'complain'> & {
  config: Pick<Config, 'sourceKey'>
  selection: LinkSelection
}

/** With the names that sources have for them. */
const FILE_OPTIONS = {
  column: 'columns',
  delimiter: 'delimiter',
  encoding: 'encoding',
  'time-zone': 'timeZone',
} as const
const NETWORK_OPTIONS = ['url', 'key', 'clicks', 'list']
const NAMES = Object.keys(SOURCES).join(', ')

/** The files that a call names, or else the API of the source. Opens each when it is its turn. */
export function openSources(call: Call, deps: Deps): OpenedSources {
  const name = call.words[0]!
  if (!Object.hasOwn(SOURCES, name)) throw refusal(`There is no source "${name}". There are: ${NAMES}.`)
  const source = SOURCES[name]!
  const paths = call.texts('file')
  if (paths.length > 0) return openFiles(call, source, paths)
  const { network } = source
  if (network !== undefined) return openNetwork(call, network, deps)
  if (call.text('url') !== undefined) throw refusal(`The source ${name} is read from files only: use --file.`)
  throw refusal('Name the file to import with --file.')
}

function openFiles(call: Call, source: Source, paths: readonly string[]): OpenedSources {
  refuseOptions(call, NETWORK_OPTIONS, 'cannot be used with --file')
  const options = fileOptions(call)
  return (async function* () {
    for (const path of paths) {
      const opened = await source.open(await openImportFile(path), options)
      refuseUnused(call, path, opened)
      yield { path, ...opened }
    }
  })()
}

/** What would change nothing was meant for another kind of file. */
function refuseUnused(call: Call, path: string, { uses, description }: OpenedFile): void {
  const unused = Object.entries(FILE_OPTIONS).filter(([, name]) => !uses.includes(name))
  const names = unused.map(([option]) => option)
  refuseOptions(call, names, `cannot be used with ${path}, ${description[0]}`)
}

function openNetwork(call: Call, network: NetworkSource, deps: Deps): OpenedSources {
  const { clock, complain, config, selection } = deps
  const url = call.text('url')
  const { title, api } = network
  if (url === undefined && api.defaultUrl === undefined)
    throw refusal(`Name files of ${title} with --file, or its URL with --url.`)
  refuseOptions(call, Object.keys(FILE_OPTIONS), 'is for files')
  const keyText = call.text('key')
  const key = keyText === undefined ? config.sourceKey : foreignKey.read(keyText)
  if (key === undefined)
    throw refusal(
      keyText === undefined
        ? `Name files of ${title} with --file, or set TERN_SOURCE_KEY to a key of its API.`
        : `--key must be ${foreignKey.allowed}.`,
    )
  const clicks = clickChoice(call, network, selection)
  const list = call.text('list')
  const clientDeps = { client: commandClient(), clock, wait: Bun.sleep, say: complain }
  return (async function* () {
    yield openNetworkSource(clientDeps, network, { url, key, clicks, list, selection })
  })()
}

function clickChoice(
  call: Call,
  { title, api }: NetworkSource,
  { without = [] }: LinkSelection,
): ClickChoice | undefined {
  const choice = choiceIn(call, 'clicks', CLICK_CHOICES)
  const areLeftOut = without.includes('clicks')
  if (choice !== undefined && areLeftOut) throw refusal('Use either --clicks or --without clicks.')
  if (choice === 'history' && api.clicks === undefined)
    throw refusal(`The API of ${title} has totals only, so --clicks history is not possible.`)
  // Nothing is requested for clicks that are left out.
  return areLeftOut ? 'totals' : choice
}

function refuseOptions(call: Call, options: readonly string[], why: string): void {
  const option = options.find((name) => call.text(name) !== undefined)
  if (option !== undefined) throw refusal(`--${option} ${why}.`)
}

function fileOptions(call: Call) {
  const columns = call.texts('column').map((text): [string, string] => {
    const [what = '', ...column] = text.split('=')
    if (column.length === 0) throw refusal('Write --column as what=column: code=Slug.')
    return [what.trim(), column.join('=').trim()]
  })
  return {
    columns: new Map(columns),
    delimiter: call.text('delimiter'),
    encoding: call.text('encoding'),
    timeZone: call.text('time-zone'),
  }
}

const refusal = (sentence: string): Refusal => new Refusal('command_failed', sentence)
