import type { UseQueryResult } from '@tanstack/react-query'
import { type LucideIcon, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PageMeta } from '../../src/http/endpoints/browser-types.ts'
import { Button } from '../components/button.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { Empty, Failed } from '../components/states.tsx'
import { type Column, Table } from '../components/table.tsx'
import { useSettled } from '../use-settled.ts'

const SETTLED_MS = 160

export type ListQuery = { page: number; search: string }

type ManagedListProps<Row> = {
  caption: string
  texts: { search: string; pages: string; noneTitle: string; none: string; clear: string }
  icon: LucideIcon
  useRows: (query: ListQuery) => UseQueryResult<{ data: Row[]; meta: PageMeta }>
  columns: Column<Row>[]
  /** Beside the search. */
  tools?: ReactNode
  /** Where there is nothing to search. */
  empty?: { title: string; text: string }
}

/** A list of the whole server, with a search and pages. */
export function ManagedList<Row extends { id: number }>({
  useRows,
  icon,
  empty,
  ...props
}: ManagedListProps<Row>) {
  const { caption, texts, columns, tools } = props
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const rows = useRows({ search: useSettled(search, SETTLED_MS), page })
  const find = (text: string) => {
    setSearch(text)
    setPage(1)
  }
  if (rows.error !== null && rows.data === undefined) {
    return (
      <div className="card">
        <Failed what={caption} error={rows.error} onRetry={() => void rows.refetch()} />
      </div>
    )
  }
  const isNone = rows.data?.data.length === 0
  return (
    <>
      <div className="tools-line">
        <div className="list-tools">
          <SearchField label={texts.search} text={search} onText={find} />
        </div>
        {tools}
      </div>
      <div className="card">
        {isNone && empty !== undefined && search === '' ? (
          <Empty icon={icon} {...empty} />
        ) : isNone ? (
          <Empty icon={icon} title={texts.noneTitle} text={texts.none}>
            <Button onClick={() => find('')}>{texts.clear}</Button>
          </Empty>
        ) : (
          <Table caption={caption} columns={columns} rows={rows.data?.data} keyOf={({ id }) => id} />
        )}
        {rows.data && <PageButtons label={texts.pages} meta={rows.data.meta} onPage={setPage} />}
      </div>
    </>
  )
}

type SearchFieldProps = { label: string; text: string; onText: (text: string) => void }

const SearchField = ({ label, text, onText }: SearchFieldProps) => (
  <span className="input-with" role="search">
    <Search size={16} aria-hidden />
    <input
      className="input"
      type="search"
      placeholder={label}
      aria-label={label}
      value={text}
      onChange={(event) => onText(event.target.value)}
    />
  </span>
)
