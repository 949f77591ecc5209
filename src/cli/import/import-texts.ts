import type { ImportUndoView, ImportView } from '../../http/endpoints/import-record-endpoints.ts'
import type { ApiAnswer } from '../links/call-api.ts'
import { listOf, type Listed } from '../links/api-texts.ts'

// What the API says about imports, for people.

export const importList = (answer: ApiAnswer): string =>
  listOf(answer as Listed<ImportView>, {
    none: 'There are no imports.',
    head: ['id', 'source', 'by', 'begun', 'state', 'created', 'changed', 'refused'],
    rows: ({ counts, ...record }) => {
      const { id, title, actor, created_at: begun, state } = record
      return [[id, title, actor, begun, state, counts.created, counts.kept + counts.replaced, counts.refused]]
    },
  })

const links = (count: number): string => `${count} ${count === 1 ? 'link' : 'links'}`

export function planText({ links: all, edited, to_trash: count, changed }: ImportUndoView): string {
  const remaining = all - count
  const inUse =
    edited === 0 ? '' : `, of which ${edited} ${edited === 1 ? 'was' : 'were'} edited or clicked since`
  const what = `${links(count)} would go to the trash and ${remaining} would stay.`
  return [
    `Dry run, nothing was changed: ${what}`,
    `The import has ${links(all)} now${inUse}.`,
    ...changedText(changed),
  ].join('\n')
}

export function undoneText(
  trashed: number,
  { spared, changed }: { spared: number; changed: number },
): string {
  return [`${links(trashed)} moved to the trash.`, ...sparedText(spared), ...changedText(changed)].join('\n')
}

function sparedText(count: number): string[] {
  if (count === 0) return []
  if (count === 1) return ['1 link stays, because it was edited or clicked since it was imported.']
  return [`${count} links stay, because they were edited or clicked since they were imported.`]
}

function changedText(count: number): string[] {
  if (count === 0) return []
  if (count === 1) return ['1 link that the import has changed is not changed back.']
  return [`${count} links that the import has changed are not changed back.`]
}
