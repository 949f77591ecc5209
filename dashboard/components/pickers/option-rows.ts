/** One thing to choose in a Picker or a Combobox. */
export type Option = {
  value: string
  label: string
  /** A CSS color, shown as a dot. */
  color?: string
  /** At the end of the row: a count, a code. It is found too. */
  detail?: string
  /** Some of those that it is about have it, neither all nor none. */
  isSome?: boolean
}

/** `create`: makes a new option of the text that was typed. */
export type OptionRow = { kind: 'option'; option: Option } | { kind: 'create'; text: string }

/** More are found by typing. */
const SHOWN_MAX = 200

type OptionRows = {
  rows: OptionRow[]
  /** There are more than are shown. */
  isCut: boolean
}

/** What is shown for the text in the find field: what is called so comes first, then what begins with it. */
export function optionRows(options: readonly Option[], text: string, canCreate: boolean): OptionRows {
  const search = folded(text.trim())
  const matches = search === '' ? options : byPlace(options, search)
  const rows: OptionRow[] = matches.slice(0, SHOWN_MAX).map((option) => ({ kind: 'option', option }))
  const isKnown = options.some(({ label, value }) => folded(label) === search || folded(value) === search)
  if (canCreate && search !== '' && !isKnown) rows.push({ kind: 'create', text: text.trim() })
  return { rows, isCut: matches.length > SHOWN_MAX }
}

function byPlace(options: readonly Option[], wanted: string): Option[] {
  const ranks = options.map((option) => ({
    option,
    place: folded(`${option.label} ${option.detail ?? ''}`).indexOf(wanted),
  }))
  const rank = ({ option, place }: (typeof ranks)[number]) =>
    folded(option.label) === wanted ? 0 : place === 0 ? 1 : 2
  return ranks
    .filter(({ place }) => place >= 0)
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ option }) => option)
}

/** Upper case and accents do not matter: "osterreich" finds "Österreich". */
export const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
