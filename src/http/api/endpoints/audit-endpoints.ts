import { z } from '@hono/zod-openapi'
import type { Caller } from '../../../access/caller.ts'
import { AUDIT_ACTIONS } from '../../../audit/audit-actions.ts'
import { auditParameters } from '../../../audit/audit-filters.ts'
import { type AuditEntry, everyEntry, listEntries, LOOKED_AT_MAX } from '../../../audit/list-entries.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../../export/csv-line.ts'
import { StreamPlaces } from '../../../limits/stream-places.ts'
import { type Clock, dayOf, isoDay, isoMicroseconds } from '../../../runtime/clock.ts'
import type { ReadDb } from '../../../store/handles.ts'
import { pageParameters } from '../../../validation/query-parameters.ts'
import { pageMeta, readPage } from '../../requests/paged-list.ts'
import { type Query, readParameters } from '../../requests/query.ts'
import { success } from '../../responses/envelope.ts'
import { exportFormat, EXPORT_TYPES, streamedFile } from '../../responses/streamed-file.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { timestamp } from '../../endpoints/schemas.ts'
import { envelope, paginationMeta } from '../../endpoints/schemas.ts'

type AuditDeps = { db: ReadDb; clock: Pick<Clock, 'nowUs'> }

const entrySchema = z
  .strictObject({
    id: z.int().min(1),
    happened_at: timestamp(),
    user_id: z.int().nullable().openapi({ description: 'Who made the change; null on the command line.' }),
    api_key_id: z
      .int()
      .nullable()
      .openapi({ description: 'The API key that it was made with.', example: null }),
    actor: z.string().openapi({
      description: 'The name at that time: of the API key, or of the user.',
      example: 'Ada Lovelace',
    }),
    client: z.string().openapi({
      description: 'The browser and system of the dashboard, `API`, or `command line`.',
      example: 'Firefox on Linux',
    }),
    action: z.enum(AUDIT_ACTIONS).openapi({ example: 'link.updated' }),
    target: z.string().openapi({
      description: 'What was changed: a short code, a host, an email address, a name.',
      example: 'launch',
    }),
    target_id: z.int().nullable().openapi({ description: 'Its ID; null if there are several.', example: 12 }),
    changes: z
      .record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
      .nullable()
      .openapi({
        description:
          'Field name to its values before and after. Of a secret it only says that it was `set` or `changed`. Requests about many links name them in `links`, with what is not the same for all.',
        example: { title: { from: '', to: 'Launch page' } },
      }),
  })
  .openapi('AuditEntry')

export type AuditEntryView = z.infer<typeof entrySchema>

export const auditListParameters = pageParameters.extend(auditParameters)
const exportParameters = z.object({ ...exportFormat, ...auditParameters })

/** Those of the dashboard too. */
export const auditEndpoints = (deps: AuditDeps): CallerEndpoint[] => [
  listEndpoint(deps),
  exportEndpoint(deps),
]

const listEndpoint = ({ db }: AuditDeps): CallerEndpoint => ({
  method: 'get',
  path: '/api/audit-log',
  tag: 'Workspace',
  summary: 'List changes',
  description: `Who has changed what in the workspace, newest first. A list reaches back over the newest ${LOOKED_AT_MAX.toLocaleString('en')} changes of its period; an earlier \`to\`, or the export, reaches further. The operator sets how long changes are kept (400 days).`,
  access: 'key',
  scope: 'audit:read',
  query: auditListParameters,
  answer: {
    status: 200,
    description: 'A page of changes.',
    schema: envelope('Audit log retrieved.', {
      data: z.array(entrySchema),
      // One flat object: joined with allOf, two closed ones would each forbid the fields of the other.
      meta: z.strictObject({
        ...paginationMeta.shape,
        is_complete: z.boolean().openapi({
          description: 'false: the period may have older changes, which the list does not reach.',
        }),
      }),
    }),
  },
  refusals: [422],
  async handle({ caller, query }) {
    const { page, perPage, ...filters } = readPage(auditListParameters, query)
    const { entries, total, isComplete } = await listEntries({ db }, caller, { page, perPage, filters })
    const meta = { ...pageMeta({ page, perPage }, total), is_complete: isComplete }
    return { body: success('Audit log retrieved.', { data: entries.map(entryView), meta }) }
  },
})

const entryView = (entry: AuditEntry): AuditEntryView => ({
  id: entry.id,
  happened_at: isoMicroseconds(entry.happenedAtUs),
  user_id: entry.userId,
  api_key_id: entry.keyId,
  actor: entry.actor,
  client: entry.client,
  action: entry.action,
  target: entry.target,
  target_id: entry.targetId,
  changes: entry.changes,
})

function exportEndpoint({ db, clock }: AuditDeps): CallerEndpoint {
  const places = new StreamPlaces({
    perWorkspace: 2,
    max: 20,
    sentence: 'Too many exports of the audit log are in progress. Try again when one is done.',
  })
  const open = (caller: Caller, query: Query): Response => {
    const { format, ...filters } = readParameters(exportParameters, query)
    const onEnd = places.take(caller.workspaceId)
    const pages = everyEntry({ db }, caller, filters)
    return streamedFile({
      name: `tern-audit-log-${isoDay(dayOf(clock.nowUs()))}.${format}`,
      type: EXPORT_TYPES[format],
      pages: format === 'csv' ? csvTexts(pages) : jsonTexts(pages),
      onEnd,
    })
  }
  return {
    method: 'get',
    path: '/api/export/audit-log',
    tag: 'Workspace',
    summary: 'Export changes as a file',
    description:
      'All changes that match the filters, the newest first: CSV with a header row, or a JSON object for each line. In CSV a text that a spreadsheet would take for a formula begins with an apostrophe, and `changes` is JSON. Two at once, then 429.',
    access: 'key',
    scope: 'audit:read',
    query: exportParameters,
    answer: {
      status: 200,
      description: 'The file.',
      schema: z.string().openapi({ example: csvLine(Object.keys(entrySchema.shape)) }),
      types: Object.values(EXPORT_TYPES),
    },
    refusals: [422],
    handle: async ({ caller, query }) => open(caller, query),
  }
}

async function* jsonTexts(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string[]> {
  for await (const entries of pages) yield entries.map((entry) => JSON.stringify(entryView(entry)) + '\n')
}

async function* csvTexts(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string[]> {
  yield [BYTE_ORDER_MARK + csvLine(Object.keys(entrySchema.shape))]
  for await (const entries of pages) yield entries.map((entry) => csvLine(Object.values(entryView(entry))))
}
