import type { ReactElement } from 'react'
import type { ConditionChoices } from '../../../../src/http/endpoints/browser-types.ts'
import type { Option } from '../../../components/pickers/option-rows.ts'
import { Picker } from '../../../components/pickers/picker.tsx'
import { ruleStrings } from './rule-strings.ts'
import { type ListKind, nameOf } from './chip-text.ts'
import { useData } from '../../../api/use-data.ts'

/** Offered by name. Any other language tag can be typed. */
export const LANGUAGES = (
  'af am ar az be bg bn bs ca cs cy da de el en en-GB en-US es es-419 et eu fa fi fil fr fr-CA ga gl gu he hi hr hu hy id is ' +
  'it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl pa pl pt pt-BR pt-PT ro ru si sk sl sq sr sv sw ta te th tr ' +
  'uk ur uz vi zh zh-CN zh-HK zh-TW zu'
).split(' ')

const { condition: texts } = ruleStrings

type ListValuesProps = {
  kind: ListKind
  values: readonly string[]
  onValues: (values: string[]) => void
  trigger: ReactElement
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

export function ListValues({ kind, values, onValues, ...floating }: ListValuesProps) {
  const choices = useConditionChoices(floating.isOpen)
  const options = optionsOf(kind, choices, values)
  const isLanguage = kind === 'language'
  return (
    <Picker
      {...floating}
      label={texts.kinds[kind]}
      options={options}
      none={texts.none}
      chosen={values.map((value) => sameIn(options, value))}
      onChoose={onValues}
      isMulti
      {...(isLanguage && {
        createLabel: texts.useLanguage,
        onCreate: (tag) => onValues([...values, tag]),
        foot: <span className="hint">{texts.languageHint}</span>,
      })}
    />
  )
}

/** With the values that no list has: they came from the API. */
function optionsOf(
  kind: ListKind,
  choices: ConditionChoices | undefined,
  values: readonly string[],
): Option[] | undefined {
  const allValues: readonly string[] | undefined = kind === 'language' ? LANGUAGES : choices?.[kind]
  if (allValues === undefined) return undefined
  const lowerValues = new Set(allValues.map((value) => value.toLowerCase()))
  const others = values.filter((value) => !lowerValues.has(value.toLowerCase()))
  const options = [...others, ...allValues].map((value) => {
    const label = nameOf(kind, value)
    const hasCode = kind === 'country' || kind === 'language'
    return { value, label, ...(hasCode && label !== value && { detail: value }) }
  })
  return kind === 'device' ? options : options.toSorted((one, other) => byLabel(one.label, other.label))
}

const { compare: byLabel } = new Intl.Collator('en')

/** Upper and lower case do not matter to the server. */
const sameIn = (options: readonly Option[] | undefined, value: string): string =>
  options?.find((option) => option.value.toLowerCase() === value.toLowerCase())?.value ?? value

/** What conditions of rules can name; undefined until they have arrived. */
export const useConditionChoices = (isNeeded: boolean) =>
  // They change with the server only.
  useData('GET /condition-choices', { enabled: isNeeded, staleTime: Infinity }).data
