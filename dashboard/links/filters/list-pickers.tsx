import { DaysPill, daysText, FilterPill } from '../../components/pickers/filter-pill.tsx'
import type { Option } from '../../components/pickers/option-rows.ts'
import { Picker } from '../../components/pickers/picker.tsx'
import { ValuesPill, valuesText, type ValuesWords } from '../../components/pickers/values-pill.tsx'
import { fullNumber, shortDate } from '../../format.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { type ListQuery, PLAIN } from '../list/list-query.ts'
import { useAnswer, useData } from '../../api/use-data.ts'

export type FilterProps = { query: ListQuery; onChange: (change: Partial<ListQuery>) => void }

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

type OnePillProps = {
  label: string
  /** What it is set to, in words. */
  text: string
  chosen: string
  options: readonly Option[]
  onChoose: (value: string) => void
  onClear: () => void
}

/** A filter with one value, which is there only once it is set: from a view, or by a URL. */
const OnePill = ({ label, text, chosen, options, onChoose, onClear }: OnePillProps) => (
  <FilterPill label={label} value={text} onClear={onClear}>
    {(trigger) => (
      <Picker
        {...{ label, trigger, options }}
        none={texts.noEnd}
        chosen={[chosen]}
        onChoose={([value]) => onChoose(value!)}
      />
    )}
  </FilterPill>
)

const ARCHIVED = (['exclude', 'include', 'only'] as const).map((value) => ({
  value,
  label: texts.archivedModes[value],
}))

export const ArchivedPill = ({ query: { archived }, onChange }: FilterProps) =>
  archived !== PLAIN.archived && (
    <OnePill
      label={texts.archived}
      text={texts.archivedSet[archived]}
      chosen={archived}
      options={ARCHIVED}
      onChoose={(value) => onChange({ archived: value as ListQuery['archived'] })}
      onClear={() => onChange({ archived: PLAIN.archived })}
    />
  )

const END_DAYS = [1, 7, 14, 30, 90].map((days) => ({
  value: String(days),
  label: texts.endsIn(fullNumber(days)),
}))

export const EndsPill = ({ query: { endsInDays: days }, onChange }: FilterProps) =>
  days > 0 && (
    <OnePill
      label={texts.ends}
      text={texts.endsIn(fullNumber(days))}
      chosen={String(days)}
      options={END_DAYS}
      onChoose={(value) => onChange({ endsInDays: Number(value) })}
      onClear={() => onChange({ endsInDays: 0 })}
    />
  )

const ATTENTION = [
  { value: 'false', label: texts.attentionAll },
  { value: 'true', label: texts.attentionOnly },
]

/** Its list says what it means. */
export const AttentionPill = ({ query: { needsAttention }, onChange }: FilterProps) =>
  needsAttention && (
    <OnePill
      label={texts.attention}
      text={texts.attentionSet}
      chosen="true"
      options={ATTENTION}
      onChoose={(value) => onChange({ needsAttention: value === 'true' })}
      onClear={() => onChange({ needsAttention: false })}
    />
  )

export const CreatedPill = ({ query: { createdFrom, createdTo }, onChange }: FilterProps) => (
  <DaysPill
    label={texts.created}
    from={createdFrom}
    to={createdTo}
    onChange={({ from = createdFrom, to = createdTo }) => onChange({ createdFrom: from, createdTo: to })}
  />
)

const STALE_MS = 60_000

/** Who could have created a link. Undefined while it is not known, or not asked for. */
export const useMemberNames = (isNeeded: boolean) =>
  useData('GET /members/names', { staleTime: STALE_MS, enabled: isNeeded }).data

/** Nothing to choose where nobody else can create links. */
export function CreatorPill({ query: { creators }, onChange }: FilterProps) {
  const { members } = useSignedIn().user.workspace
  const isShown = members > 1 || creators.length > 0
  const data = useMemberNames(isShown)
  if (!isShown) return null
  return (
    <ValuesPill
      label={texts.creator}
      chosen={creators.map(String)}
      options={data?.map(({ id, name }) => ({ value: String(id), label: name }))}
      none={texts.noCreator}
      many={texts.manyCreators}
      onChoose={(chosen) => onChange({ creators: chosen.map(Number) })}
    />
  )
}

/** As many as a page has. */
const IMPORTS_OFFERED = { query: { per_page: 100 } }

/** Of several, which only a URL names, the pill has all and its list marks the first. */
export function ImportPill({ query: { imports }, onChange }: FilterProps) {
  const isShown = imports.length > 0
  const { data } = useAnswer('GET /imports', IMPORTS_OFFERED, { staleTime: STALE_MS, enabled: isShown })
  if (!isShown) return null
  const options = (data?.data ?? []).map(({ id, title, created_at: at }) => ({
    value: String(id),
    label: `${title}, ${shortDate(at)}`,
  }))
  const nameOf = (id: number) => options.find(({ value }) => value === String(id))?.label ?? String(id)
  return (
    <OnePill
      label={texts.import}
      text={imports.map(nameOf).join('; ')}
      chosen={String(imports[0])}
      options={options}
      onChoose={(value) => onChange({ imports: [Number(value)] })}
      onClear={() => onChange({ imports: [] })}
    />
  )
}

/** More values are only counted. */
export const tagWords = (mode: ListQuery['tagMode']): ValuesWords =>
  mode === 'all' ? { many: texts.allTags, joined: texts.and } : { many: texts.manyTags }

/** Each filter that is set, as its pill says it: "Tag: Winter 2026". `nameOf`: of a user. */
export function filterTexts(query: ListQuery, nameOf: (id: number) => string): string[] {
  const statuses = query.statuses.map((status) => texts.statuses[status])
  const days = { from: query.createdFrom, to: query.createdTo }
  const values = [
    [texts.status, valuesText(statuses, { many: texts.manyStatuses })],
    [texts.tag, valuesText(query.tags, tagWords(query.tagMode))],
    [texts.folder, valuesText(query.folders, { many: texts.manyFolders })],
    [texts.domain, valuesText(query.domains, { many: texts.manyDomains })],
    [texts.creator, valuesText(query.creators.map(nameOf), { many: texts.manyCreators })],
    [texts.created, daysText(days)],
    [texts.ends, query.endsInDays > 0 && texts.endsIn(fullNumber(query.endsInDays))],
    [texts.attention, query.needsAttention && texts.attentionSet],
    [texts.archived, texts.archivedSet[query.archived]],
  ] as const
  return values.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []))
}
