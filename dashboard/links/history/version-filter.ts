import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import type { Option } from '../../components/pickers/option-rows.ts'
import { historyStrings as texts } from './history-strings.ts'

/** Empty parts leave everything. Within a part, one of its values is enough. */
export type VersionFilter = {
  /** What has changed: fields, or `created`. */
  changes: readonly string[]
  /** `user 1` or `key 2`. */
  people: readonly string[]
  /** Days in the time zone of the browser, as `2026-11-20`. */
  from: string
  to: string
}

export const NO_FILTER: VersionFilter = { changes: [], people: [], from: '', to: '' }

const CREATED = 'created'

const changesOf = ({ version, changes }: LinkVersionView): string[] =>
  version === 1 ? [CREATED] : Object.keys(changes)

const peopleOf = ({ changed_by: by, api_key: key }: LinkVersionView): Option[] => [
  ...(by === null ? [] : [{ value: `user ${by.id}`, label: by.name }]),
  ...(key === null ? [] : [{ value: `key ${key.id}`, label: key.name, detail: texts.apiKey }]),
]

export const isSet = ({ changes, people, from, to }: VersionFilter): boolean =>
  changes.length + people.length > 0 || from !== '' || to !== ''

export function matchingVersions(
  versions: readonly LinkVersionView[],
  { changes, people, from, to }: VersionFilter,
): LinkVersionView[] {
  const isAnyOf = (wanted: readonly string[], values: readonly string[]) =>
    wanted.length === 0 || values.some((value) => wanted.includes(value))
  const earliest = from === '' ? -Infinity : Date.parse(`${from}T00:00`)
  const latest = to === '' ? Infinity : Date.parse(`${to}T23:59:59.999`)
  return versions.filter((version) => {
    const at = Date.parse(version.changed_at)
    return (
      isAnyOf(changes, changesOf(version)) &&
      isAnyOf(
        people,
        peopleOf(version).map(({ value }) => value),
      ) &&
      earliest <= at &&
      at <= latest
    )
  })
}

/** What was changed in any of them, by name. */
export const changeOptions = (versions: readonly LinkVersionView[]): Option[] =>
  byLabel(
    versions.flatMap(changesOf).map((value) => ({
      value,
      label: value === CREATED ? texts.creation : capitalized(texts.names[value] ?? value),
    })),
  )

/** Who has changed any of them, and with which keys. */
export const peopleOptions = (versions: readonly LinkVersionView[]): Option[] =>
  byLabel(versions.flatMap(peopleOf))

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const byLabel = (options: readonly Option[]): Option[] =>
  [...new Map(options.map((option) => [option.value, option])).values()].sort((a, b) =>
    a.label.localeCompare(b.label),
  )
