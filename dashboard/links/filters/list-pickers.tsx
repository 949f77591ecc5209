import type { ReactNode } from 'react'
import { FilterPill } from '../../components/pickers/filter-pill.tsx'
import type { Option } from '../../components/pickers/option-rows.ts'
import { Picker } from '../../components/pickers/picker.tsx'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { type ListQuery, PLAIN } from '../list/list-query.ts'
import { valuesText, type ValuesWords } from './filter-texts.ts'

export type FilterProps = { query: ListQuery; onChange: (change: Partial<ListQuery>) => void }

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

/** Nothing to choose in a workspace with one domain. */
export function DomainPill({ query, onChange }: FilterProps) {
  const { domains } = useSignedIn().user
  if (domains.length === 1 && query.domains.length === 0) return null
  return (
    <ValuesPill
      label={texts.domain}
      chosen={query.domains}
      options={domains.map((host) => ({ value: host, label: host }))}
      none={texts.noDomain}
      many={texts.manyDomains}
      onChoose={(chosen) => onChange({ domains: chosen })}
    />
  )
}

const ARCHIVED = (['exclude', 'include', 'only'] as const).map((value) => ({
  value,
  label: texts.archivedModes[value],
}))

/** There only once it is set: from the menu of views, or by a URL. */
export function ArchivedPill({ query: { archived }, onChange }: FilterProps) {
  if (archived === PLAIN.archived) return null
  return (
    <FilterPill
      label={texts.archived}
      value={texts.archivedSet[archived]}
      onClear={() => onChange({ archived: PLAIN.archived })}
    >
      {(trigger) => (
        <Picker
          label={texts.archived}
          trigger={trigger}
          options={ARCHIVED}
          none={texts.noEnd}
          chosen={[archived]}
          onChoose={([value]) => onChange({ archived: value as ListQuery['archived'] })}
        />
      )}
    </FilterPill>
  )
}

const END_DAYS = [1, 7, 14, 30, 90]

/** There only once it is set: from a view, or by a URL. */
export function EndsPill({ query: { endsInDays: days }, onChange }: FilterProps) {
  if (days === 0) return null
  return (
    <FilterPill
      label={texts.ends}
      value={texts.endsIn(fullNumber(days))}
      onClear={() => onChange({ endsInDays: 0 })}
    >
      {(trigger) => (
        <Picker
          label={texts.ends}
          trigger={trigger}
          options={END_DAYS.map((each) => ({ value: String(each), label: texts.endsIn(fullNumber(each)) }))}
          none={texts.noEnd}
          chosen={[String(days)]}
          onChoose={([value]) => onChange({ endsInDays: Number(value) })}
        />
      )}
    </FilterPill>
  )
}

/** There only once it is set: from the view, or by a URL. Its list says what it means. */
export function AttentionPill({ query: { needsAttention }, onChange }: FilterProps) {
  if (!needsAttention) return null
  return (
    <FilterPill
      label={texts.attention}
      value={texts.attentionSet}
      onClear={() => onChange({ needsAttention: false })}
    >
      {(trigger) => (
        <Picker
          label={texts.attention}
          trigger={trigger}
          options={[
            { value: 'false', label: texts.attentionAll },
            { value: 'true', label: texts.attentionOnly },
          ]}
          none={texts.noEnd}
          chosen={['true']}
          onChoose={([value]) => onChange({ needsAttention: value === 'true' })}
        />
      )}
    </FilterPill>
  )
}
