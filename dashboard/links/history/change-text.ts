import type { LinkVersionView, LinkView } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber, percent, withoutScheme } from '../../format.ts'
import { dayAndTime } from '../../later-format.ts'
import { historyStrings as texts } from './history-strings.ts'
import { valueText } from '../editor/rules/chip-text.ts'
import type { ConditionKind, Conditions } from '../editor/rules/rule-form.ts'
import { once } from '../../once.ts'

type Changes = LinkVersionView['changes']
type Change = Changes[string]
type Rule = NonNullable<LinkView['rules']>[number]

/** One changed field as the history shows it. */
export type FieldDiff = { field: string; name: string; before: string[]; after: string[] }

const lists = once(() => new Intl.ListFormat('en'))

/** What somebody did, after their name: `changed the destination and the title, set the end`. */
export function deedOf(changes: Changes): string {
  const lines = new Map<string, string[]>()
  for (const [field, change] of Object.entries(changes)) {
    const verb = verbOf(field, change)
    lines.set(verb, [...(lines.get(verb) ?? []), texts.the(nameOf(field))])
  }
  return [...lines].map(([verb, names]) => `${verb} ${lists().format(names)}`).join(', ')
}

function verbOf(field: string, { from, to }: Change): string {
  if (field === 'is_active') return to === true ? texts.enabled : texts.disabled
  if (FORWARDINGS.has(field) && to === false) return texts.turnedOff
  if (FORWARDINGS.has(field) && from === false) return texts.turnedOn
  if (field === 'has_password' && from === to) return texts.replaced
  if (isNothing(from)) return texts.set
  return isNothing(to) ? texts.removed : texts.changed
}

const FORWARDINGS = new Set(['forward_query', 'forward_path'])

const nameOf = (field: string): string => texts.names[field] ?? field

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || value === false || String(value) === ''

/** Of a password that replaced another there is nothing to show, and a switch is in the sentence. */
export const diffsOf = (changes: Changes): FieldDiff[] =>
  Object.entries(changes)
    .filter(([field, { from, to }]) => field !== 'is_active' && JSON.stringify(from) !== JSON.stringify(to))
    .map(([field, { from, to }]) => ({
      field,
      name: nameOf(field),
      ...linesOf(field, from, to),
    }))

/** As `diffsOf`, where no sentence says that a switch has changed. */
export function restoredDiffs(changes: Changes): FieldDiff[] {
  const { is_active: active } = changes
  if (active === undefined) return diffsOf(changes)
  const stateOf = (value: unknown) => [value === true ? texts.active : texts.disabledState]
  const before = stateOf(active.from)
  return [...diffsOf(changes), { field: 'is_active', name: texts.status, before, after: stateOf(active.to) }]
}

const URLS = new Set(['original_url', 'fallback_url', 'social_image_url'])

function linesOf(field: string, from: unknown, to: unknown): { before: string[]; after: string[] } {
  const before = shownLines(field, from)
  const after = shownLines(field, to)
  if (!URLS.has(field)) return { before, after }
  // A scheme is shown only where it is what changed.
  const short = [before, after].map((lines) => lines.map(withoutScheme))
  return String(short[0]) === String(short[1]) ? { before, after } : { before: short[0]!, after: short[1]! }
}

function shownLines(field: string, value: unknown): string[] {
  if (FORWARDINGS.has(field)) return [forwardingText(value)]
  if (isNothing(value)) return [texts.absent[field] ?? texts.none]
  switch (field) {
    case 'starts_at':
    case 'expires_at':
      return [dayAndTime(String(value))]
    case 'max_clicks':
      return [fullNumber(Number(value))]
    case 'has_password':
      return [texts.passwordSet]
    case 'aliases':
      return (value as string[]).map(String)
    case 'rules':
      return (value as Rule[]).map(ruleLine)
    default:
      return String(value).split('\n')
  }
}

function forwardingText(value: unknown): string {
  if (value === 'replace') return texts.replacing
  return value === true ? texts.on : texts.off
}

function ruleLine({ when = {}, to, split }: Rule, index: number): string {
  const conditions = (Object.keys(when) as ConditionKind[]).map((kind) => conditionText(kind, when))
  const total = (split ?? []).reduce((sum, { weight }) => sum + weight, 0)
  const shares = (split ?? []).map((part) =>
    texts.rule.share(percent((part.weight * 100) / total), withoutScheme(part.to)),
  )
  const heading = conditions.length === 0 ? texts.rule.everyone : conditions.join('; ')
  return texts.rule.line(
    fullNumber(index + 1),
    heading,
    to === undefined ? shares.join(', ') : withoutScheme(to),
  )
}

/** In the words of the editor, and with the time zone, which may be what changed. */
function conditionText(kind: ConditionKind, when: Conditions): string {
  const timezone = kind === 'hours' ? (when.hours?.timezone ?? '') : ''
  return `${texts.rule.names[kind]} ${valueText(kind, when, Number.POSITIVE_INFINITY)} ${timezone}`.trimEnd()
}
