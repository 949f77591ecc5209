import type { ReactNode } from 'react'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from '../../links/list/list-strings.ts'
import { FilterPill } from './filter-pill.tsx'
import type { Option } from './option-rows.ts'
import { Picker } from './picker.tsx'

type ValuesPillProps = ValuesWords & {
  label: string
  chosen: readonly string[]
  options: readonly Option[] | undefined
  none: string
  onChoose: (chosen: string[]) => void
  foot?: ReactNode
  onOpen?: (isOpen: boolean) => void
}

/** A filter with several values. */
export function ValuesPill({ label, chosen, options, none, ...rest }: ValuesPillProps) {
  const { onChoose, foot, onOpen } = rest
  const labels = chosen.map((value) => options?.find((option) => option.value === value)?.label ?? value)
  return (
    <FilterPill label={label} value={valuesText(labels, rest)} onClear={() => onChoose([])}>
      {(trigger) => (
        <Picker
          label={label}
          trigger={trigger}
          options={options}
          none={none}
          chosen={chosen}
          onChoose={onChoose}
          isMulti
          foot={foot}
          {...(onOpen && { onOpen })}
        />
      )}
    </FilterPill>
  )
}

const NAMED_MAX = 2

export type ValuesWords = {
  many: (count: string) => string
  joined?: (one: string, other: string) => string
}

/** What a filter with several values is set to. Undefined: nothing. */
export function valuesText(
  labels: readonly string[],
  { many, joined = texts.or }: ValuesWords,
): string | undefined {
  const [first, second] = labels
  if (labels.length > NAMED_MAX) return many(fullNumber(labels.length))
  return second === undefined ? first : joined(first!, second)
}
