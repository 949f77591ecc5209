import { z } from '@hono/zod-openapi'
import { beginImport, newImport } from '../../import/records/begin-import.ts'
import { endImport } from '../../import/records/end-import.ts'
import { findImport } from '../../import/records/find-import.ts'
import {
  IMPORT_STATES,
  type ImportRecord,
  IN_USE_CHOICES,
  UNDO_DAYS,
} from '../../import/records/import-record.ts'
import { listImports } from '../../import/records/list-imports.ts'
import { undoFields, undoImport } from '../../import/records/undo-import.ts'
import { titleOfSource } from '../../import/sources/all-sources.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { body, pageOf } from '../dispatch/body-and-query.ts'
import { endpoint, type FindContext } from '../dispatch/endpoint.ts'
import { pageMeta } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { importCounts } from './import-endpoint.ts'
import { paginationMeta, timestamp } from './schemas.ts'

// With the methods of this library, whatever was loaded before it.
const importInput = z.object(newImport.shape).openapi('NewImport')
const undoInput = z.object(undoFields.shape).openapi('NewImportUndo')

const count = (description: string) => z.int().min(0).openapi({ description, example: 0 })

const importSchema = z
  .strictObject({
    id: z.int().min(1).openapi({ example: 12 }),
    source: z.string().openapi({ description: 'What the links come from.', example: 'bitly' }),
    title: z.string().openapi({ description: 'What the source is called.', example: 'Bitly' }),
    actor: z.string().openapi({
      description: 'Who began it: the name of the API key or user at that time.',
      example: 'Ada Lovelace',
    }),
    state: z.enum(IMPORT_STATES).openapi({
      description:
        '`open`: it takes links, or was interrupted; `ended`; `undoing`: its links are being moved to the trash; `undone`.',
      example: 'open',
    }),
    created_at: timestamp(),
    ended_at: timestamp().nullable(),
    counts: importCounts.openapi({ description: 'What became of its links, by result.' }),
    undoable_until: timestamp(),
    undo: z
      .strictObject({
        edited: z.enum(IN_USE_CHOICES),
        actor: z.string().openapi({ description: 'Who has undone it.' }),
        started_at: timestamp(),
        ended_at: timestamp().nullable().openapi({ description: 'null while it goes on.' }),
        trashed: count('Links that it has moved to the trash so far.'),
        spared: count('Links that it has left so far, because they were edited or clicked.'),
      })
      .nullable()
      .openapi({ description: 'null: it was not undone.', example: null }),
  })
  .openapi('Import')

export type ImportView = z.infer<typeof importSchema>

const importView = ({ undo, ...record }: ImportRecord): ImportView => ({
  id: record.id,
  source: record.source,
  title: titleOfSource(record.source),
  actor: record.actor,
  state: record.state,
  created_at: isoMicroseconds(record.createdAtUs),
  ended_at: isoOrNull(record.endedAtUs),
  counts: record.counts,
  undoable_until: isoMicroseconds(record.undoableUntilUs),
  undo: undo && {
    edited: undo.edited,
    actor: undo.actor,
    started_at: isoMicroseconds(undo.startedAtUs),
    ended_at: isoOrNull(undo.endedAtUs),
    trashed: undo.trashed,
    spared: undo.spared,
  },
})

const undoSchema = z
  .strictObject({
    import: importSchema,
    links: count('Links of the import that were there when the undo was requested.'),
    edited: count('How many of them were edited or clicked since they were imported.'),
    to_trash: count('How many the undo moves to the trash.'),
    changed: count('Links that the import has changed (`kept`, `replaced`). They are not changed back.'),
  })
  .openapi('ImportUndo')

export type ImportUndoView = z.infer<typeof undoSchema>

const findIn = ({ deps, caller, params }: FindContext<'both'>) =>
  findImport({ db: deps.readDb }, caller, idOf(params))

/** Imports as a whole: each is a series of requests to `POST /links/import`. */
export const importRecordEndpoints = [
  endpoint({
    route: 'POST /imports',
    who: 'both',
    scope: 'links:write',
    tag: 'Imports',
    summary: 'Begin an import',
    description: `Requests to \`POST /api/links/import\` then name its ID as \`import_id\`, for ${UNDO_DAYS} days or until it ends. A dry run needs none.`,
    input: body(importInput, { source: 'bitly' }),
    answer: { status: 201, message: 'Import begun.', description: 'The import.', data: importSchema },
    refusals: [422],
    run: async ({ caller, input }, deps) => ({ data: importView(await beginImport(deps, caller, input)) }),
  }),
  endpoint({
    route: 'GET /imports',
    who: 'both',
    scope: 'links:read',
    tag: 'Imports',
    summary: 'List imports',
    description: 'Those that were begun, the latest first.',
    query: pageOf(pageParameters),
    answer: {
      message: 'Imports retrieved.',
      description: 'A page of imports.',
      data: z.array(importSchema),
      meta: paginationMeta,
    },
    refusals: [422],
    async run({ caller, query: page }, { listDb }) {
      const { imports, total } = await listImports({ db: listDb }, caller, page)
      return { data: imports.map(importView), meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'GET /imports/{id}',
    who: 'both',
    scope: 'links:read',
    tag: 'Imports',
    summary: 'Read an import',
    description: 'While it is undone, `undo` says how far that is.',
    answer: { message: 'Import retrieved.', description: 'The import.', data: importSchema },
    refusals: [404],
    run: async ({ caller, params }, { readDb }) => ({
      data: importView(await findImport({ db: readDb }, caller, idOf(params))),
    }),
  }),
  endpoint({
    route: 'POST /imports/{id}/end',
    who: 'both',
    scope: 'links:write',
    tag: 'Imports',
    summary: 'End an import',
    description: 'It takes no more links. Ending it again changes nothing.',
    answer: { message: 'Import ended.', description: 'The import.', data: importSchema },
    refusals: [404],
    run: async ({ caller, params }, deps) => ({
      data: importView(await endImport(deps, caller, idOf(params))),
    }),
  }),
  endpoint({
    route: 'POST /imports/{id}/undo',
    who: 'both',
    scope: 'links:write',
    tag: 'Imports',
    summary: 'Undo an import',
    description: `Moves the links that it created to the trash, within ${UNDO_DAYS} days of its beginning. The answer comes at once; \`GET /api/imports/{id}\` says how far it is. Links that were edited or clicked since stay, unless \`edited\` says otherwise, and links that were there before are not changed back: their history has what they were. With \`dry_run\`, nothing changes. Imported again, the links come back.`,
    input: body(undoInput, { edited: 'keep', dry_run: true }),
    answer: { message: 'Undo begun.', description: 'The import, and its links.', data: undoSchema },
    refusals: [404, 409, 422],
    find: findIn,
    async run({ caller, params, input: { edited, dry_run: isDryRun = false } }, deps) {
      const { record, links, inUse } = await undoImport(deps, caller, {
        importId: idOf(params),
        edited,
        isDryRun,
      })
      const { kept, replaced } = record.counts
      const data = {
        import: importView(record),
        links,
        edited: inUse,
        to_trash: edited === 'trash' ? links : links - inUse,
        changed: kept + replaced,
      }
      return isDryRun ? { message: 'Nothing was changed.', data } : { data }
    },
  }),
]
