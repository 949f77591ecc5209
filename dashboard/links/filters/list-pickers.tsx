import type { ReactNode } from 'react'
import { FilterPill } from '../../components/filter-pill.tsx'
import type { Option } from '../../components/option-rows.ts'
import { Picker } from '../../components/picker.tsx'
import { Segments } from '../../components/tabs.tsx'
import { labelColor } from '../../components/tag.tsx'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from '../../strings/list-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { useLabels } from '../labels/label-queries.ts'
import { type ListQuery, PLAIN, STATUSES } from '../list-query.ts'

export type FilterProps = { query: ListQuery; onChange: (change: Partial<ListQuery>) => void }

/** More are only counted. */
const NAMED_MAX = 2

type ValuesPillProps = {
  label: string
  chosen: readonly string[]
  options: readonly Option[] | undefined
  none: string
  many: (count: string) => string
  joined?: (one: string, other: string) => string
  onChoose: (chosen: string[]) => void
  foot?: ReactNode
}

/** A filter with several values. */
export function ValuesPill({
  label,
  chosen,
  options,
  none,
  many,
  joined = texts.or,
  ...rest
}: ValuesPillProps) {
  const { onChoose, foot } = rest
  const labels = chosen.map((value) => options?.find((option) => option.value === value)?.label ?? value)
  const [first, second] = labels
  const value =
    labels.length > NAMED_MAX
      ? many(fullNumber(labels.length))
      : second === undefined
        ? first
        : joined(first!, second)
  return (
    <FilterPill label={label} value={value} onClear={() => onChoose([])}>
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
        />
      )}
    </FilterPill>
  )
}

const STATUS_OPTIONS = STATUSES.map((value) => ({ value, label: texts.statuses[value] }))

export const StatusPill = ({ query, onChange }: FilterProps) => (
  <ValuesPill
    label={texts.status}
    chosen={query.statuses}
    options={STATUS_OPTIONS}
    none={texts.noStatus}
    many={texts.manyStatuses}
    onChoose={(chosen) => onChange({ statuses: STATUSES.filter((status) => chosen.includes(status)) })}
  />
)

const TAG_MODES = (['any', 'all'] as const).map((value) => ({ value, label: texts.tagModes[value] }))

export function TagPill({ query, onChange }: FilterProps) {
  const { data: tags } = useLabels('tags')
  const isAll = query.tagMode === 'all'
  return (
    <ValuesPill
      label={texts.tag}
      chosen={query.tags}
      options={tags?.map(({ name, color, link_count: links }) => ({
        ...{ value: name, label: name },
        ...{ color: labelColor(color), detail: fullNumber(links) },
      }))}
      none={texts.noTag}
      many={isAll ? texts.allTags : texts.manyTags}
      joined={isAll ? texts.and : texts.or}
      onChoose={(chosen) => onChange({ tags: chosen })}
      foot={
        <Segments
          label={texts.tagMode}
          choices={TAG_MODES}
          value={query.tagMode}
          onChoice={(tagMode) => onChange({ tagMode })}
        />
      }
    />
  )
}

export function FolderPill({ query, onChange }: FilterProps) {
  const { data: folders } = useLabels('folders')
  return (
    <ValuesPill
      label={texts.folder}
      chosen={query.folders}
      options={folders?.map(({ name, link_count: links }) => ({
        ...{ value: name, label: name, detail: fullNumber(links) },
      }))}
      none={texts.noFolder}
      many={texts.manyFolders}
      onChoose={(chosen) => onChange({ folders: chosen })}
    />
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
