import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { PageButtons } from '../../../components/page-buttons.tsx'
import { Failed, hasFailed } from '../../../components/states.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { cutMiddle, destinationText } from '../../../format.ts'
import { type ItemResult, useJobItems } from '../job-queries.ts'
import type { ImportJobItemView, ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { ForAll, ItemChoice, OtherDomain } from './conflict-choices.tsx'
import { DownloadRefused } from './download-refused.tsx'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.check

type CheckedItemsProps = {
  job: ImportJobView
  result: ItemResult
  /** How many links have this result: more than are listed, if they are many. */
  total: number
}

/** The links with one result of the check. */
export function CheckedItems({ job, result, total }: CheckedItemsProps) {
  const [page, setPage] = useState(1)
  const query = useJobItems(job.id, result, page)
  const { data } = query
  const title = texts.lists[result](total)
  return (
    <section className="card items-card" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
        {result === 'conflict' && total > 0 && <ForAll job={job} />}
        {result === 'refused' && total > 0 && <DownloadRefused id={job.id} />}
      </div>
      {hasFailed(query) ? (
        <Failed what={title} query={query} />
      ) : total === 0 ? (
        <p className="items-note soft">{texts.none[result]}</p>
      ) : (
        <Items {...{ job, result, title }} items={data?.data} />
      )}
      {data && data.meta.total < total && <p className="items-note soft">{texts.listed(data.meta.total)}</p>}
      {data && data.meta.last_page > 1 && (
        <PageButtons label={texts.pages(title)} meta={data.meta} onPage={setPage} />
      )}
    </section>
  )
}

type ItemsProps = Omit<CheckedItemsProps, 'total'> & { title: string; items: ImportJobItemView[] | undefined }

function Items({ job, result, title, items }: ItemsProps) {
  const columns = { created: NEW, equal: NEW, conflict: conflictColumns(job), refused: refusedColumns(job) }[
    result
  ]
  return (
    <Table caption={title} columns={columns} rows={items} keyOf={({ number }) => number} skeletonRows={3} />
  )
}

const line: Column<ImportJobItemView> = { id: 'line', head: texts.line, cell: ({ at }) => at }
const code: Column<ImportJobItemView> = {
  id: 'code',
  head: texts.code,
  cell: (item) => item.code || <span className="soft">{texts.noCode}</span>,
}

const shortDestination = (url: string | null) => destinationText(url ?? '')

const NEW: Column<ImportJobItemView>[] = [
  code,
  { id: 'destination', head: texts.destination, cell: ({ destination }) => shortDestination(destination) },
  {
    id: 'lost',
    head: texts.lost,
    cell: ({ lost }) => <span className="soft">{lost.join(' ') || texts.nothingLost}</span>,
  },
]

/** Of a destination that may be wrong as a whole. */
const SHOWN_MAX = 90

const refusedColumns = (job: ImportJobView): Column<ImportJobItemView>[] => [
  line,
  {
    id: 'destination',
    head: texts.destination,
    cell: ({ destination, code }) => (
      <span title={destination}>{cutMiddle(destination, SHOWN_MAX) || code}</span>
    ),
  },
  {
    id: 'why',
    head: texts.why,
    cell: (item) => (
      <span className="item-why">
        <CircleAlert size={16} aria-hidden />
        <span>
          {[...new Set(Object.values(item.errors).flat())].join(' ')}
          <OtherDomain {...{ job, item }} />
        </span>
      </span>
    ),
  },
]

const conflictColumns = (job: ImportJobView): Column<ImportJobItemView>[] => [
  code,
  { id: 'here', head: texts.here, cell: ({ here }) => shortDestination(here) },
  { id: 'destination', head: texts.inImport, cell: ImportedPart },
  { id: 'do', head: texts.do, cell: (item) => <ItemChoice {...{ job, item }} /> },
]

/** Its destination; the other fields that differ if that is the same. */
function ImportedPart({ here, destination, differences }: ImportJobItemView) {
  if (here !== destination) return shortDestination(destination)
  const fields = Object.keys(differences).map((name) => name.replaceAll('_', ' '))
  return <span className="soft">{texts.sameDestination(fields.join(', '))}</span>
}
