import type { UseQueryResult } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PageMeta } from '../../src/http/endpoints/browser-types.ts'
import { Button } from '../components/button.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { Empty, FailedCard, hasFailed } from '../components/states.tsx'
import type { Column } from '../components/table.tsx'
import { useSettled } from '../use-settled.ts'
import { SearchField } from '../components/fields/search-field.tsx'
import { ListCard } from '../components/list-card.tsx'

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
  if (hasFailed(rows)) return <FailedCard what={caption} query={rows} />
  return (
    <>
      <div className="tools-line">
        <div className="list-tools" role="search">
          <SearchField label={texts.search} text={search} onText={find} />
        </div>
        {tools}
      </div>
      <ListCard
        query={rows}
        empty={
          empty !== undefined && search === '' ? (
            <Empty icon={icon} {...empty} />
          ) : (
            <Empty icon={icon} title={texts.noneTitle} text={texts.none}>
              <Button onClick={() => find('')}>{texts.clear}</Button>
            </Empty>
          )
        }
        {...{ caption, columns }}
        rows={rows.data?.data}
        keyOf={({ id }) => id}
      >
        {rows.data && <PageButtons label={texts.pages} meta={rows.data.meta} onPage={setPage} />}
      </ListCard>
    </>
  )
}
