import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import { DaysPill } from '../../components/pickers/days-pill.tsx'
import { historyStrings } from './history-strings.ts'
import { ValuesPill } from '../filters/list-pickers.tsx'
import { changeOptions, isSet, NO_FILTER, peopleOptions, type VersionFilter } from './version-filter.ts'
import { TextButton } from '../../components/button.tsx'

const texts = historyStrings.filters

type HistoryFiltersProps = {
  versions: readonly LinkVersionView[]
  filter: VersionFilter
  onFilter: (filter: VersionFilter) => void
}

export function HistoryFilters({ versions, filter, onFilter }: HistoryFiltersProps) {
  const change = (part: Partial<VersionFilter>) => onFilter({ ...filter, ...part })
  return (
    <div className="pills" role="group" aria-label={texts.name}>
      <ValuesPill
        label={texts.change}
        chosen={filter.changes}
        options={changeOptions(versions)}
        none={texts.noChange}
        many={texts.manyChanges}
        onChoose={(changes) => change({ changes })}
      />
      <ValuesPill
        label={texts.person}
        chosen={filter.people}
        options={peopleOptions(versions)}
        none={texts.noPerson}
        many={texts.manyPeople}
        onChoose={(people) => change({ people })}
      />
      <DaysPill label={texts.date} from={filter.from} to={filter.to} onChange={change} />
      {isSet(filter) && <TextButton onClick={() => onFilter(NO_FILTER)}>{texts.clear}</TextButton>}
    </div>
  )
}
