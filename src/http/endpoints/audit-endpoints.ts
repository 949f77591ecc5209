import { z } from '@hono/zod-openapi'
import { AUDIT_ACTIONS } from '../../audit/audit-actions.ts'
import { auditParameters } from '../../audit/audit-filters.ts'
import {
  type AuditEntry,
  everyEntry,
  listActors,
  listEntries,
  LOOKED_AT_MAX,
} from '../../audit/list-entries.ts'
import { csvLine } from '../../export/csv-line.ts'
import { versionBefore } from '../../links/versions/version-before.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { pageOf, parameters } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { pageMeta } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { EXPORT_TYPES, exportedFile, exportFormat } from '../responses/exported-file.ts'
import { paginationMeta, timestamp } from './schemas.ts'
import { wholeText } from '../../runtime/number-text.ts'

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

const named = z.strictObject({ id: z.int(), name: z.string() })

/** A version of a link that can be restored. */
const restorableSchema = z.strictObject({
  short_code: z.string(),
  domain: z.string(),
  version: z.int(),
  current_version: z.int().meta({ description: 'Of the link now.' }),
})
export type RestorableVersion = z.infer<typeof restorableSchema>

const listParameters = pageParameters.extend(auditParameters)
export type AuditQuery = z.input<typeof listParameters>

export const auditEndpoints = [
  endpoint({
    route: 'GET /audit-log',
    who: 'both',
    scope: 'audit:read',
    tag: 'Workspace',
    summary: 'List changes',
    description: `Who has changed what in the workspace, newest first. A list reaches back over the newest ${wholeText(LOOKED_AT_MAX)} changes of its period; an earlier \`to\`, or the export, reaches further. The operator sets how long changes are kept (400 days).`,
    query: pageOf(listParameters),
    answer: {
      message: 'Audit log retrieved.',
      description: 'A page of changes.',
      data: z.array(entrySchema),
      // One flat object: joined with allOf, two closed ones would each forbid the fields of the other.
      meta: z.strictObject({
        ...paginationMeta.shape,
        is_complete: z.boolean().openapi({
          description: 'false: the period may have older changes, which the list does not reach.',
        }),
      }),
    },
    refusals: [422],
    async run({ caller, query: { page, perPage, ...filters } }, { listDb }) {
      const { entries, total, isComplete } = await listEntries({ db: listDb }, caller, {
        page,
        perPage,
        filters,
      })
      const meta = { ...pageMeta({ page, perPage }, total), is_complete: isComplete }
      return { data: entries.map(entryView), meta }
    },
  }),
  endpoint({
    route: 'GET /export/audit-log',
    who: 'both',
    scope: 'audit:read',
    tag: 'Workspace',
    summary: 'Export changes as a file',
    description:
      'All changes that match the filters, the newest first: CSV with a header row, or a JSON object for each line. In CSV a text that a spreadsheet would take for a formula begins with an apostrophe, and `changes` is JSON. Two at once, then 429.',
    query: parameters(z.object({ ...exportFormat, ...auditParameters })),
    answer: {
      description: 'The file.',
      bare: z.string().openapi({ example: csvLine(Object.keys(entrySchema.shape)) }),
      types: Object.values(EXPORT_TYPES),
    },
    refusals: [422],
    run({ caller, query: { format, ...filters } }, { listDb, clock, exportPlaces }) {
      const onEnd = exportPlaces.auditLog.take(caller.workspaceId)
      return exportedFile({
        format,
        name: 'tern-audit-log',
        nowUs: clock.nowUs(),
        pages: everyEntry({ db: listDb }, caller, filters),
        view: entryView,
        head: Object.keys(entrySchema.shape),
        onEnd,
      })
    },
  }),
  endpoint({
    route: 'GET /audit-log/actors',
    who: 'session',
    role: 'audit:read',
    description: 'Whom the log can be narrowed to: the members, and all keys.',
    answer: {
      message: 'Actors retrieved.',
      data: z.strictObject({ users: z.array(named), api_keys: z.array(named) }),
    },
    async run({ caller }, { readDb }) {
      const { users, keys } = await listActors({ db: readDb }, caller)
      return { data: { users, api_keys: keys } }
    },
  }),
  endpoint({
    route: 'GET /audit-log/{id}/version-before',
    who: 'session',
    role: 'audit:read',
    description: 'The version of the link before the change of an entry; null where there is none.',
    answer: {
      message: 'Version found.',
      data: z.strictObject({ restorable: restorableSchema.nullable() }),
    },
    async run({ caller, params }, deps) {
      const before = await versionBefore(deps, caller, idOf(params))
      if (before === null) return { message: 'Nothing to restore.', data: { restorable: null } }
      const { link, version } = before
      const restorable = {
        short_code: link.code,
        domain: deps.domains.hostOf(link.domainId),
        version,
        current_version: link.version,
      }
      return { data: { restorable } }
    },
  }),
]
