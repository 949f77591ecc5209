import { Refusal } from '../../errors/refusal.ts'
import type { ImportUndoView, ImportView } from '../../http/endpoints/import-record-endpoints.ts'
import type { Command, CommandDeps } from '../command.ts'
import { importList, planText, undoneText } from '../import/import-texts.ts'
import { callApi, type Server, SERVER_OPTIONS, serverOf } from '../links/call-api.ts'
import { fieldsOf, optionsOf } from '../links/field-options.ts'
import { PAGE_OPTIONS } from '../links/list-options.ts'
import { wholeNumber } from '../whole-number.ts'

const JSON_OPTION = { json: { type: 'boolean', meaning: 'Print the JSON of the API.' } } as const

const listCommand: Command = {
  name: 'import list',
  summary: 'List imports, the latest first, on a running server.',
  options: { ...optionsOf(PAGE_OPTIONS), ...JSON_OPTION, ...SERVER_OPTIONS },
  async run(call, { readConfig, print }) {
    const query = await fieldsOf(PAGE_OPTIONS, call)
    const request = { method: 'GET', path: '/api/imports', query } as const
    const { answer, sent } = await callApi(serverOf(call, readConfig()), request)
    print(call.isSet('json') ? sent : importList(answer))
  },
}

const undoCommand: Command = {
  name: 'import undo',
  words: ['<id>'],
  summary: 'Move the links that an import created to the trash, within 30 days.',
  options: {
    edited: {
      type: 'string',
      value: 'choice',
      meaning: 'For links that were edited or clicked since: keep (default), or trash.',
    },
    'dry-run': { type: 'boolean', meaning: 'Change nothing, and say how many links there are.' },
    ...JSON_OPTION,
    ...SERVER_OPTIONS,
  },
  async run(call, { readConfig, print, complain }) {
    const server = serverOf(call, readConfig())
    const path = `/api/imports/${wholeNumber(call.words[0]!, 'id', 1)}`
    const isDryRun = call.isSet('dry-run')
    const edited = call.text('edited')
    const body = { ...(edited !== undefined && { edited }), dry_run: isDryRun }
    const { answer, sent } = await callApi(server, { method: 'POST', path: `${path}/undo`, body })
    const plan = answer.data as ImportUndoView
    if (call.isSet('json')) return print(sent)
    if (isDryRun) return print(planText(plan))
    const { undo } = await undoneImport({ server, path, complain }, plan.import)
    if (undo?.ended_at != null)
      print(undoneText(undo.trashed, { spared: undo.spared, changed: plan.changed }))
  },
}

/** A request counts against the hourly limit of the key, so few are sent for a long undo. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 5_000, 10_000]
const LONG_PAUSE_MS = 30_000

type Following = { server: Server; path: string } & Pick<CommandDeps, 'complain'>

/** The import once its undo has ended, or as it was last seen. The server goes on by itself. */
async function undoneImport({ server, path, complain }: Following, begun: ImportView): Promise<ImportView> {
  let record = begun
  for (let round = 0; record.state === 'undoing'; round++) {
    await Bun.sleep(PAUSES_MS[round] ?? LONG_PAUSE_MS)
    try {
      record = (await callApi(server, { method: 'GET', path })).answer.data as ImportView
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      complain(
        `The server goes on with the undo; "tern import list" says when it has ended. ${error.message}`,
      )
      break
    }
  }
  return record
}

/** Before `tern import <source>`, whose name they begin with. */
export const importRecordCommands: Command[] = [listCommand, undoCommand]
