import { sql } from 'kysely'
import type { FieldChanges } from '../../audit/changes-text.ts'
import { InvalidItems } from '../../errors/refusal.ts'
import type { AnyDb, Tx } from '../../store/handles.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'
import { inTurns, turnAfter } from '../../runtime/turns.ts'
import { countLabels, type LabelCount } from './count-labels.ts'
import { labelsNamed } from './find-labels.ts'
import { TAGS_MAX } from './label-fields.ts'
import { foldedName, type Label, type LabelKind, type LabelName } from './label.ts'

/** What a link says about its labels. */
export type LinkLabels = { tags: string[]; folder: string | null }

const SEPARATOR = '\n'
/** Removed before others get a turn: each is a statement, and 100 links may have 20 of their own. */
const LABELS_PER_TURN = 50

/** For a SELECT from `links` or `deleted_links`; see readLabels. Names have no line breaks. */
export const labelColumn = (table: 'links' | 'deleted_links') =>
  sql<string | null>`(
  SELECT string_agg(labels.kind || ' ' || labels.name, ${sql.lit(SEPARATOR)} ORDER BY labels.folded_name)
  FROM link_labels JOIN labels ON labels.id = link_labels.label_id
  WHERE link_labels.link_id = ${sql.ref(`${table}.id`)}
)`.as('labels')

export function readLabels(column: string | null): LinkLabels {
  const labels = column?.split(SEPARATOR) ?? []
  const namesOfKind = (kind: LabelKind) =>
    labels.filter((label) => label.startsWith(`${kind} `)).map((label) => label.slice(kind.length + 1))
  return { tags: namesOfKind('tag'), folder: namesOfKind('folder')[0] ?? null }
}

/** What an edit may say about labels. Undefined: as it is. */
export type LabelEdit = {
  tags?: readonly string[] | undefined
  folder?: string | null | undefined
  /** Beside those that the link has. */
  add_tags?: readonly string[] | undefined
  remove_tags?: readonly string[] | undefined
}

const namesOf = ({ tags = [], folder, add_tags: added = [] }: LabelEdit): LabelName[] => [
  ...[...tags, ...added].map((name) => ({ kind: 'tag' as const, name })),
  ...(folder == null ? [] : [{ kind: 'folder' as const, name: folder }]),
]

const distinctNames = (names: readonly LabelName[]): LabelName[] => [
  ...new Map(names.map((name) => [foldedName(name), name])).values(),
]

export type LabeledLink = { id: number; createdAtUs: number; isArchived: boolean }

/** Of a row of `links` or `deleted_links`. */
export const labeledLink = (row: {
  id: number
  created_at: number
  is_archived: number | null
}): LabeledLink => ({ id: row.id, createdAtUs: row.created_at, isArchived: row.is_archived === 1 })

const LINK_LABELS: RowInsert = {
  table: 'link_labels',
  columns: ['label_id', 'created_at', 'link_id'],
  then: 'ON CONFLICT (label_id, created_at, link_id) DO NOTHING',
}

type Owner = { workspaceId: number; nowUs: number }

/** Gives new links their labels. Returns the labels as the workspace spells them, for each link. */
export async function labelNewLinks(
  tx: Tx,
  owner: Owner,
  links: readonly (LabeledLink & LabelEdit)[],
): Promise<LinkLabels[]> {
  const labels = await labelsNamed(tx, owner, distinctNames(links.flatMap(namesOf)))
  const ofLinks = links.map((link) => namesOf(link).map((name) => labels.get(foldedName(name))!))
  const counts = new LabelCounts()
  const rows = links.flatMap((link, index) =>
    ofLinks[index]!.map(({ id }) => {
      counts.add(id, link, 1)
      return [id, link.createdAtUs, link.id] as const
    }),
  )
  if (rows.length === 0) return ofLinks.map(shownLabels)
  await turnAfter(rows, LABELS_PER_TURN)
  await writeRows(tx, LINK_LABELS, inOrder(rows))
  await countLabels(tx, counts)
  return ofLinks.map(shownLabels)
}

const inOrder = (rows: (readonly [number, number, number])[]) =>
  rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])

function shownLabels(labels: readonly LabelName[]): LinkLabels {
  const byName = labels.toSorted((a, b) => (foldedName(a) < foldedName(b) ? -1 : 1))
  return {
    tags: byName.filter(({ kind }) => kind === 'tag').map(({ name }) => name),
    folder: byName.find(({ kind }) => kind === 'folder')?.name ?? null,
  }
}

type LabelChange = { before: LabeledLink; after: LabeledLink; edit: LabelEdit; index: number }

/** Gives links the labels of their edits, and returns what has changed by link. The transaction has locked the links' rows. */
export async function changeLabels(
  tx: Tx,
  owner: Owner,
  all: readonly LabelChange[],
): Promise<Map<number, FieldChanges>> {
  const recorded = new Map<number, FieldChanges>()
  const changes = all.filter(
    ({ before, after, edit }) => namesLabels(edit) || before.isArchived !== after.isArchived,
  )
  if (changes.length === 0) return recorded
  const labels = await labelsNamed(tx, owner, distinctNames(changes.flatMap(({ edit }) => namesOf(edit))))
  const old = await labelsOfLinks(
    tx,
    changes.map(({ after }) => after.id),
  )
  const counts = new LabelCounts()
  const newRows: [number, number, number][] = []
  const oldIds = new Map<number, number[]>()
  for (const { before, after, edit, index } of changes) {
    const had = old.get(after.id) ?? []
    const has = labelsAfter(had, labels, edit)
    if (has.filter(({ kind }) => kind === 'tag').length > TAGS_MAX) throw tooManyTags(index)
    recorded.set(after.id, changesOfLabels(had, has))
    for (const { id } of had) {
      counts.add(id, before, -1)
      if (has.every((label) => label.id !== id)) oldIds.set(id, [...(oldIds.get(id) ?? []), after.id])
    }
    for (const { id } of has) {
      counts.add(id, after, 1)
      if (had.every((label) => label.id !== id)) newRows.push([id, after.createdAtUs, after.id])
    }
  }
  if (newRows.length > 0) await writeRows(tx, LINK_LABELS, inOrder(newRows))
  for await (const [labelId, linkIds] of inTurns(oldIds, LABELS_PER_TURN))
    await tx
      .deleteFrom('link_labels')
      .where('label_id', '=', labelId)
      .where('link_id', 'in', linkIds)
      .execute()
  await countLabels(tx, counts)
  return recorded
}

function changesOfLabels(had: readonly LabelName[], has: readonly LabelName[]): FieldChanges {
  const from = shownLabels(had)
  const to = shownLabels(has)
  return {
    ...(from.tags.join('\n') === to.tags.join('\n') ? {} : { tags: { from: from.tags, to: to.tags } }),
    ...(from.folder === to.folder ? {} : { folder: { from: from.folder, to: to.folder } }),
  }
}

const tooManyTags = (index: number) =>
  new InvalidItems([{ index, field: 'tags', sentences: [`The link would have more than ${TAGS_MAX} tags.`] }])

const namesLabels = (edit: LabelEdit): boolean =>
  [edit.tags, edit.folder, edit.add_tags, edit.remove_tags].some((each) => each !== undefined)

function labelsAfter(
  had: readonly NamedLabel[],
  labels: ReadonlyMap<string, Label>,
  edit: LabelEdit,
): NamedLabel[] {
  const names = new Set((edit.remove_tags ?? []).map((name) => foldedName({ kind: 'tag', name })))
  const others = had.filter(
    (label) =>
      (label.kind === 'tag' ? edit.tags : edit.folder) === undefined && !names.has(foldedName(label)),
  )
  const newLabels = namesOf(edit).map((name) => labels.get(foldedName(name))!)
  return [...new Map([...others, ...newLabels].map((label) => [label.id, label])).values()]
}

/** Counts links that come back from the trash (1) or go there (-1). They keep their labels there. */
export async function countLabeledLinks(tx: Tx, links: readonly LabeledLink[], by: 1 | -1): Promise<void> {
  const counts = new LabelCounts()
  const labels = await labelsOfLinks(
    tx,
    links.map(({ id }) => id),
  )
  for (const link of links) for (const { id } of labels.get(link.id) ?? []) counts.add(id, link, by)
  await countLabels(tx, counts)
}

type NamedLabel = LabelName & { id: number }

/** By the ids of the links. */
export async function labelsOfLinks(
  db: AnyDb,
  linkIds: readonly number[],
): Promise<Map<number, NamedLabel[]>> {
  const rows = await db
    .selectFrom('link_labels')
    .innerJoin('labels', 'labels.id', 'link_labels.label_id')
    .select(['link_labels.link_id as linkId', 'labels.id', 'labels.kind', 'labels.name'])
    .where('link_labels.link_id', 'in', linkIds)
    .execute()
  const labelsOf = new Map<number, NamedLabel[]>()
  for (const { linkId, ...label } of rows)
    labelsOf.set(linkId, [...(labelsOf.get(linkId) ?? []), label as NamedLabel])
  return labelsOf
}

/** What a change of links adds to the counts of their labels. */
class LabelCounts extends Map<number, LabelCount> {
  add(labelId: number, { isArchived }: LabeledLink, by: 1 | -1): void {
    const { links, archived } = this.get(labelId) ?? { links: 0, archived: 0 }
    this.set(labelId, { links: links + by, archived: archived + (isArchived ? by : 0) })
  }
}
