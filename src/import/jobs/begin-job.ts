import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import { lockedToChange } from '../../store/engine-sql.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { choice, lineOfText, NOT_A_STRING } from '../../validation/field-rules.ts'
import { linkChoices, refuseReversedDays } from '../link-choices.ts'
import { CLICK_CHOICES } from '../network/click-history-reader.ts'
import { sourceUrl } from '../network/open-network-source.ts'
import { SOURCES } from '../sources/all-sources.ts'
import type { Source } from '../source.ts'
import { callerText, type ImportJob, REMOVED, toImportJob } from './import-job.ts'
import { encryptKey } from './source-key.ts'

/** Each may have 200 MB. */
const UNFINISHED_MAX = 5
const HOST_LENGTH_MAX = 255
const URL_LENGTH_MAX = 2048
const LIST_LENGTH_MAX = 255
const SOURCE_KEY = /^[\x21-\x7e]{1,1024}$/

export const domainOfJob = lineOfText(HOST_LENGTH_MAX)
  .nullish()
  .transform((host) => host?.trim() || null)
  .meta({
    description: 'The host of the domain that all links go to; null: to the domain that the source names.',
    example: 'go.example.com',
  })

export const clicksOfJob = choice(CLICK_CHOICES).optional().meta({
  description:
    'What is read of the clicks of an API: `history`, with days, countries and referrers, by requests for each link, or `totals`. Without it, history from a server of your own, and totals from a service, which limits requests.',
  example: 'history',
})

export const listOfJob = lineOfText(LIST_LENGTH_MAX).min(1).optional().meta({
  description:
    'The ID or name of the only group of Bitly, domain of Short.io or workspace of Rebrandly whose links are read; all without it.',
  example: 'Marketing',
})

const SOURCE_NAMES = Object.keys(SOURCES)

export const newJob = z.object({
  source: z
    .enum(SOURCE_NAMES, `The :attribute must be one of ${SOURCE_NAMES.join(', ')}.`)
    .meta({ description: 'The program that the links come from.', example: 'csv' }),
  url: lineOfText(URL_LENGTH_MAX)
    .nullish()
    .meta({ description: 'Where the API of the program is, if you run it yourself.', example: null }),
  key: z
    .string(NOT_A_STRING)
    .refine(
      (text) => SOURCE_KEY.test(text),
      'The :attribute must be up to 1,024 letters, digits and signs of ASCII, without spaces.',
    )
    .nullish()
    .meta({
      description:
        'A key of the API of the program, which may only read. With it, the links are read over the network, and without it from files. It is kept encrypted until all links were read, and is in no answer.',
      example: null,
    }),
  domain: domainOfJob,
  clicks: clicksOfJob,
  list: listOfJob,
  ...linkChoices,
})

type BeginDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

/** A draft, which files are uploaded to, or which is checked at once if it reads an API. */
export async function beginJob(
  { db, clock }: BeginDeps,
  caller: Caller,
  { source, url, key, domain, ...options }: z.output<typeof newJob>,
): Promise<ImportJob> {
  refuseReversedDays(options.created_from, options.created_to)
  const place = apiUrlOf(SOURCES[source]!, { url, key })
  const nowUs = clock.nowUs()
  const sourceKey = key == null ? null : await encryptKey(db, key)
  return transact(db, async (tx) => {
    await refuseTooMany(tx, caller)
    const row = await tx
      .insertInto('import_jobs')
      .values({
        ...EMPTY,
        workspace_id: caller.workspaceId,
        source,
        caller: callerText(caller),
        created_at: nowUs,
        changed_at: nowUs,
        url: place,
        source_key: sourceKey,
        domain,
        options: JSON.stringify(options),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toImportJob(row)
  })
}

const EMPTY = {
  state: 'draft',
  files: '[]',
  description: '[]',
  links: null,
  counts: null,
  on_conflict: 'skip',
  conflict_domain: null,
  position: 0,
  started_at: null,
  import_id: null,
  recorded: 0,
  refused: 0,
  waiting_until: null,
  message: null,
  runner: null,
  runner_until: 0,
} as const

/** Where the API of the source is; null for files. */
export function apiUrlOf(
  { network }: Source,
  { url, key }: Pick<z.output<typeof newJob>, 'url' | 'key'>,
): string | null {
  const hasUrl = url != null && url !== ''
  if (network === undefined && (hasUrl || key != null))
    throw invalid({ [hasUrl ? 'url' : 'key']: ['The source is read from files only.'] })
  if (key == null) {
    if (hasUrl) throw invalid({ key: ['Send a key of the API with its URL.'] })
    return null
  }
  if (hasUrl) {
    const read = sourceUrl(url)
    if ('error' in read) throw invalid({ url: [read.error.replace(':attribute', 'url')] })
    return read.url
  }
  const { title, api } = network!
  if (api.defaultUrl === undefined) throw invalid({ url: [`The url of ${title} is required.`] })
  return api.defaultUrl
}

async function refuseTooMany(tx: Tx, { workspaceId }: Caller): Promise<void> {
  // So that requests that arrive together count each other.
  const workspace = tx.selectFrom('workspaces').select('id').where('id', '=', workspaceId)
  await lockedToChange(tx, workspace).execute()
  const { count } = await tx
    .selectFrom('import_jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('state', 'not in', ['done', REMOVED])
    .executeTakeFirstOrThrow()
  if (Number(count) >= UNFINISHED_MAX)
    throw new Refusal(
      'limit_reached',
      `A workspace has at most ${UNFINISHED_MAX} imports that are not done. Delete one of them first.`,
    )
}
