import { useState } from 'react'
import type { LabelView } from '../../../src/http/endpoints/browser-types.ts'
import { Segments } from '../../components/tabs.tsx'
import { labelColor } from '../../components/tag.tsx'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { listedLinks, useLabels } from '../labels/label-queries.ts'
import { isFiltered, type ListQuery, STATUSES } from '../list/list-query.ts'
import { useLinkCounts } from '../views/view-queries.ts'
import { tagWords } from './filter-texts.ts'
import { type FilterProps, ValuesPill } from './list-pickers.tsx'

/**
 * How many links each list has, while a picker is open. None is counted under a search: each count would read all that it
 * finds.
 */
function useCounts(lists: readonly ListQuery[], isOpen: boolean): (string | undefined)[] {
  const counts = useLinkCounts(isOpen && lists.every(({ search }) => search === '') ? lists : [])
  return lists.map((_, at) => (counts[at] === undefined ? undefined : fullNumber(counts[at])))
}

const detailOf = (detail: string | undefined) => (detail === undefined ? {} : { detail })

export function StatusPill({ query, onChange }: FilterProps) {
  const [isOpen, setOpen] = useState(false)
  const counts = useCounts(
    STATUSES.map((status) => ({ ...query, statuses: [status] })),
    isOpen,
  )
  return (
    <ValuesPill
      label={texts.status}
      chosen={query.statuses}
      options={STATUSES.map((value, at) => ({
        value,
        label: texts.statuses[value],
        ...detailOf(counts[at]),
      }))}
      none={texts.noStatus}
      many={texts.manyStatuses}
      onChoose={(chosen) => onChange({ statuses: STATUSES.filter((status) => chosen.includes(status)) })}
      onOpen={setOpen}
    />
  )
}

type LabelLists = {
  /** The list without a filter by such labels. */
  others: ListQuery
  withLabel: (name: string) => ListQuery
  isOpen: boolean
}

/** The counts of labels are kept, but not under other filters: then the first ones are counted. */
function useLabelOptions(
  labels: readonly LabelView[] | undefined,
  { others, withLabel, isOpen }: LabelLists,
) {
  const isPlain = !isFiltered(others)
  const lists = (labels ?? []).map(({ name }) => withLabel(name))
  const counts = useCounts(lists, isOpen && !isPlain)
  return labels?.map((label, at) => ({
    value: label.name,
    label: label.name,
    ...detailOf(isPlain ? fullNumber(listedLinks(label)) : counts[at]),
  }))
}

const TAG_MODES = (['any', 'all'] as const).map((value) => ({ value, label: texts.tagModes[value] }))

export function TagPill({ query, onChange }: FilterProps) {
  const [isOpen, setOpen] = useState(false)
  const { data: tags } = useLabels('tags')
  const options = useLabelOptions(tags, {
    others: { ...query, tags: [] },
    withLabel: (name) => ({ ...query, tags: [name] }),
    isOpen,
  })
  return (
    <ValuesPill
      label={texts.tag}
      chosen={query.tags}
      options={options?.map((option, at) => ({ ...option, color: labelColor(tags![at]!.color) }))}
      none={texts.noTag}
      {...tagWords(query.tagMode)}
      onChoose={(chosen) => onChange({ tags: chosen })}
      onOpen={setOpen}
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
  const [isOpen, setOpen] = useState(false)
  const { data: folders } = useLabels('folders')
  const options = useLabelOptions(folders, {
    others: { ...query, folders: [] },
    withLabel: (name) => ({ ...query, folders: [name] }),
    isOpen,
  })
  return (
    <ValuesPill
      label={texts.folder}
      chosen={query.folders}
      options={options}
      none={texts.noFolder}
      many={texts.manyFolders}
      onChoose={(chosen) => onChange({ folders: chosen })}
      onOpen={setOpen}
    />
  )
}
