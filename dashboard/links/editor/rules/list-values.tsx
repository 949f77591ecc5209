import type { ReactElement } from 'react'
import type { ConditionChoices } from '../../../../src/http/endpoints/browser-types.ts'
import type { Option } from '../../../components/pickers/option-rows.ts'
import { Picker } from '../../../components/pickers/picker.tsx'
import { ruleStrings } from './rule-strings.ts'
import { LANGUAGES } from './common-languages.ts'
import { type ListKind, nameOf } from './chip-text.ts'
import { useConditionChoices } from './use-condition-choices.ts'

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
  const listed: readonly string[] | undefined = kind === 'language' ? LANGUAGES : choices?.[kind]
  if (listed === undefined) return undefined
  const known = new Set(listed.map((value) => value.toLowerCase()))
  const others = values.filter((value) => !known.has(value.toLowerCase()))
  const options = [...others, ...listed].map((value) => {
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
