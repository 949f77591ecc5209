import { useState } from 'react'
import { Segments } from '../../components/tabs.tsx'
import { labelColor } from '../../components/tag.tsx'
import { fullNumber } from '../../format.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { listedLinks, useLabels } from '../labels/label-queries.ts'
import { isFiltered, type ListQuery, STATUSES } from '../list/list-query.ts'
import { useLinkCounts } from '../views/view-queries.ts'
import { ValuesPill } from '../../components/pickers/values-pill.tsx'
import { type FilterProps, tagWords } from './list-pickers.tsx'

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

/** The counts of labels are kept, but not under other filters: then the first ones are counted. */
function useLabelFilter(kind: 'tags' | 'folders', query: ListQuery) {
  const [isOpen, setOpen] = useState(false)
  const { data: labels } = useLabels(kind)
  const isPlain = !isFiltered({ ...query, [kind]: [] })
  const lists = (labels ?? []).map(({ name }) => ({ ...query, [kind]: [name] }))
  const counts = useCounts(lists, isOpen && !isPlain)
  const options = labels?.map((label, at) => ({
    value: label.name,
    label: label.name,
    ...(kind === 'tags' && { color: labelColor(label.color) }),
    ...detailOf(isPlain ? fullNumber(listedLinks(label)) : counts[at]),
  }))
  return { chosen: query[kind], options, onOpen: setOpen }
}

const TAG_MODES = (['any', 'all'] as const).map((value) => ({ value, label: texts.tagModes[value] }))

export const TagPill = ({ query, onChange }: FilterProps) => (
  <ValuesPill
    {...useLabelFilter('tags', query)}
    label={texts.tag}
    none={texts.noTag}
    {...tagWords(query.tagMode)}
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

export const FolderPill = ({ query, onChange }: FilterProps) => (
  <ValuesPill
    {...useLabelFilter('folders', query)}
    label={texts.folder}
    none={texts.noFolder}
    many={texts.manyFolders}
    onChoose={(chosen) => onChange({ folders: chosen })}
  />
)
