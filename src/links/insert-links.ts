import type { Caller } from '../access/caller.ts'
import { newCode } from '../codes/random-code.ts'
import { type RowInsert, writeRows } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { FIELD_COLUMNS, hasOptions, OPTION_COLUMNS, type ShownOptions, shownOptions } from './link-fields.ts'
import type { LinkDraft } from './reuse-links.ts'

/** A row of `links` that no code opens yet. */
export type StoredLink = LinkDraft & { id: number; svcId: string; code: string; options: ShownOptions }

const LINKS = {
  table: 'links',
  columns: [
    'workspace_id',
    'domain_id',
    'code',
    'svc_id',
    'created_at',
    'updated_at',
    'created_by',
    'created_key_id',
    ...FIELD_COLUMNS.names,
  ],
  texts: ['code', 'svc_id', ...FIELD_COLUMNS.texts],
  then: 'RETURNING id, svc_id AS "svcId"',
} satisfies RowInsert

const LINKS_WITH_OPTIONS = {
  ...LINKS,
  columns: [...LINKS.columns, ...OPTION_COLUMNS.names, 'spelling'],
  texts: [...LINKS.texts, ...OPTION_COLUMNS.texts, 'spelling'],
} satisfies RowInsert

const ofImport = <Insert extends RowInsert>(links: Insert) => ({
  ...links,
  columns: [...links.columns, 'import_id', 'imported_at'],
})

const IMPORTED_LINKS = ofImport(LINKS)
/** All columns but the ID, which the table assigns. */
export const IMPORTED_LINKS_WITH_OPTIONS = ofImport(LINKS_WITH_OPTIONS)

/** Stores links before their codes, which name them. */
export async function insertLinks(
  tx: Tx,
  { workspaceId, userId, keyId }: Caller,
  fresh: readonly LinkDraft[],
): Promise<StoredLink[]> {
  const rows = fresh.map((draft) => ({
    ...draft,
    svcId: `svc_${Bun.randomUUIDv7()}`,
    code: draft.link.custom_code ?? newCode(draft.link),
    options: shownOptions(draft.columns),
  }))
  // Most links bind no values for what they do not have. All links of a request are part of one import or of none.
  const isImport = fresh[0]?.link.importId !== undefined
  const anyHasOptions = rows.some(({ options, link }) => hasOptions(options) || link.spelling !== undefined)
  const names = anyHasOptions ? [...FIELD_COLUMNS.names, ...OPTION_COLUMNS.names] : FIELD_COLUMNS.names
  const [plain, withOptions] = isImport
    ? [IMPORTED_LINKS, IMPORTED_LINKS_WITH_OPTIONS]
    : [LINKS, LINKS_WITH_OPTIONS]
  const inserted = await writeRows<{ id: number; svcId: string }>(
    tx,
    anyHasOptions ? withOptions : plain,
    rows.map(({ link: { domainId, importId, spelling }, code, svcId, createdAtUs, nowUs, columns }) => {
      const values = names.map((name) => columns[name] ?? null)
      if (anyHasOptions) values.push(spelling ?? null)
      if (isImport) values.push(importId ?? null, nowUs)
      return [workspaceId, domainId, code, svcId, createdAtUs, nowUs, userId, keyId ?? null, ...values]
    }),
  )
  const ids = new Map(inserted.map(({ id, svcId }) => [svcId, id]))
  return rows.map((row) => ({ ...row, id: ids.get(row.svcId)! }))
}
