import type { AuditEntryView } from '../../src/http/endpoints/browser-types.ts'
import { deedOf, diffsOf, type FieldDiff } from '../links/history/change-text.ts'
import { auditStrings as texts } from './audit-strings.ts'
import { historyStrings } from '../links/history/history-strings.ts'

type Changes = NonNullable<AuditEntryView['changes']>

/** What somebody did, before what they did it to: `changed the title of`. */
export function deedText({ action, changes }: AuditEntryView): string {
  const plain = texts.deeds[action]
  if (action === 'invitation.sent' && changes !== null && !changes.role)
    return changes.link?.to === 'copied' ? texts.copiedInvitation : texts.invitedAgain
  const object = texts.objects[action]
  if (object === undefined || changes === null) return plain
  const { links: _, ...fields } = changes
  const [only, ...more] = Object.keys(fields)
  if (only === undefined) return plain
  if (more.length === 0 && only === 'is_active')
    return fields.is_active!.to === true ? texts.enabled : texts.disabledLink
  if (more.length === 0 && only === 'archived')
    return fields.archived!.to === true ? texts.archivedLink : texts.unarchived
  if (more.length === 0 && only === 'is_default') return texts.madeDefault
  return texts.of(deedOf(withNames(fields)), object)
}

/** What they did it to. Settings have the names of their fields. */
export const targetText = ({ action, target }: AuditEntryView): string =>
  action === 'settings.updated'
    ? target
        .split(', ')
        .map((name) => texts.names[name] ?? name)
        .join(', ')
    : target

/** Names that the history of a link does not have. */
const withNames = (changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).map(([field, change]) => [texts.names[field] ?? field, change]))

/** Every field that has changed, the first one first. */
export const auditDiffs = ({ changes }: AuditEntryView): FieldDiff[] =>
  Object.entries(changes ?? {})
    .filter(([field]) => field !== 'links')
    .map(([field, change]) => {
      const hasName = field in historyStrings.names && field !== 'is_active'
      const [diff] = hasName ? diffsOf({ [field]: change }) : []
      // What a link did not have is not named.
      if (diff !== undefined) return change.from === null ? { ...diff, before: [] } : diff
      const name = historyStrings.names[field] ?? texts.names[field] ?? field.replaceAll('_', ' ')
      return { field, name, before: linesOf(field, change.from), after: linesOf(field, change.to) }
    })

const SWITCHES: Record<string, [on: string, off: string]> = {
  is_active: [texts.active, texts.disabled],
  archived: [texts.archived, texts.listed],
}

function linesOf(field: string, value: unknown): string[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'boolean') return [(SWITCHES[field] ?? [texts.on, texts.off])[value ? 0 : 1]]
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [value.join(', ')]
  return [JSON.stringify(value)]
}

type ListedLink = { id: number; short_code: string }

/** The codes of a request about several links. */
export function codesOf({ changes }: AuditEntryView): string[] {
  const links = changes?.links?.to
  return Array.isArray(links) ? (links as ListedLink[]).map(({ short_code: code }) => code) : []
}
