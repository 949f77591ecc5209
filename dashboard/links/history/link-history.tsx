import { History, SearchX } from 'lucide-react'
import { useState } from 'react'
import type {
  LinkDestinationView,
  LinkVersionView,
  OwnLink,
} from '../../../src/http/endpoints/browser-types.ts'
import { calendarDay } from '../../format.ts'
import { PageButtons } from '../../components/page-buttons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Empty, FailedCard, hasFailed } from '../../components/states.tsx'
import { useCan } from '../../use-session.ts'
import { historyStrings as texts } from './history-strings.ts'
import { RestoreQuestion } from './restore-question.tsx'
import { useDestinations, useVersions } from './use-versions.ts'
import { VersionEntry } from './version-entry.tsx'
import {
  changeOptions,
  isSet,
  matchingVersions,
  NO_FILTER,
  peopleOptions,
  type VersionFilter,
} from './version-filter.ts'
import './history.css'
import { DaysPill } from '../../components/pickers/filter-pill.tsx'
import { ValuesPill } from '../../components/pickers/values-pill.tsx'
import { TextButton } from '../../components/button.tsx'

const ENTRIES_PER_PAGE = 25

/** What visitors of a link met, change by change. */
export default function LinkHistory({ link }: { link: OwnLink }) {
  const query = useVersions(link)
  const { data: versions } = query
  if (hasFailed(query)) return <FailedCard what={texts.title} query={query} />
  if (versions === undefined) return <HistorySkeleton />
  if (versions.length === 1) {
    return (
      <div className="card">
        <Empty icon={History} title={texts.title} text={texts.empty(calendarDay(link.created_at))} />
      </div>
    )
  }
  return <Versions link={link} versions={versions} />
}

type VersionsProps = { link: OwnLink; versions: readonly LinkVersionView[] }

function Versions({ link, versions }: VersionsProps) {
  const [filter, setFilter] = useState(NO_FILTER)
  const [page, setPage] = useState(1)
  const [wanted, setWanted] = useState<LinkVersionView>()
  const destinations = useDestinations(link).data ?? []
  const matches = matchingVersions(versions, filter)
  const narrow = (next: VersionFilter) => {
    setFilter(next)
    setPage(1)
  }
  return (
    <div className="stack">
      <div className="list-tools">
        <HistoryFilters versions={versions} filter={filter} onFilter={narrow} />
        <p className="hint history-lead">{texts.lead}</p>
      </div>
      <div className="card">
        {matches.length === 0 ? (
          <Empty icon={SearchX} title={texts.filters.noneTitle} text={texts.filters.none} />
        ) : (
          <Entries {...{ link, left: matches, page, destinations }} onPage={setPage} onRestore={setWanted} />
        )}
      </div>
      {wanted && (
        <RestoreQuestion
          link={link}
          version={wanted.version}
          current={link.version}
          onClose={() => setWanted(undefined)}
        />
      )}
    </div>
  )
}

type EntriesProps = {
  link: OwnLink
  left: readonly LinkVersionView[]
  page: number
  destinations: readonly LinkDestinationView[]
  onPage: (page: number) => void
  onRestore: (version: LinkVersionView) => void
}

function Entries({ link, left, page, destinations, onPage, onRestore }: EntriesProps) {
  const canWrite = useCan('links:write')
  const last = Math.ceil(left.length / ENTRIES_PER_PAGE)
  const meta = { current_page: page, last_page: last, per_page: ENTRIES_PER_PAGE, total: left.length }
  return (
    <>
      <ol className="versions" reversed>
        {left.slice((page - 1) * ENTRIES_PER_PAGE, page * ENTRIES_PER_PAGE).map((row) => (
          <VersionEntry
            key={row.version}
            version={row}
            isCurrent={row.version === link.version}
            {...spanOf(row, destinations)}
            onRestore={canWrite ? () => onRestore(row) : undefined}
          />
        ))}
      </ol>
      <PageButtons label={texts.pages} meta={meta} onPage={onPage} />
    </>
  )
}

function spanOf({ version }: LinkVersionView, destinations: readonly LinkDestinationView[]) {
  const at = destinations.findIndex((each) => each.version === version)
  return { destination: destinations[at], until: destinations[at - 1]?.since }
}

const HistorySkeleton = () => (
  <div className="card" aria-busy>
    {[1, 2, 3].map((row) => (
      <div key={row} className="version">
        <Skeleton width={28} height={28} radius={14} />
        <div className="version-content">
          <Skeleton width={240} height={16} />
          <Skeleton width="100%" height={48} />
        </div>
      </div>
    ))}
  </div>
)

const filterTexts = texts.filters

type HistoryFiltersProps = {
  versions: readonly LinkVersionView[]
  filter: VersionFilter
  onFilter: (filter: VersionFilter) => void
}

function HistoryFilters({ versions, filter, onFilter }: HistoryFiltersProps) {
  const change = (part: Partial<VersionFilter>) => onFilter({ ...filter, ...part })
  return (
    <div className="pills" role="group" aria-label={filterTexts.name}>
      <ValuesPill
        label={filterTexts.change}
        chosen={filter.changes}
        options={changeOptions(versions)}
        none={filterTexts.noChange}
        many={filterTexts.manyChanges}
        onChoose={(changes) => change({ changes })}
      />
      <ValuesPill
        label={filterTexts.person}
        chosen={filter.people}
        options={peopleOptions(versions)}
        none={filterTexts.noPerson}
        many={filterTexts.manyPeople}
        onChoose={(people) => change({ people })}
      />
      <DaysPill label={filterTexts.date} from={filter.from} to={filter.to} onChange={change} />
      {isSet(filter) && <TextButton onClick={() => onFilter(NO_FILTER)}>{filterTexts.clear}</TextButton>}
    </div>
  )
}
