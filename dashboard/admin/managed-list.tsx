import { keepPreviousData } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type {
  ManagedDomainView,
  ManagedUserView,
  ManagedWorkspaceView,
} from '../../src/http/endpoints/browser-types.ts'
import { useAnswer } from '../api/use-data.ts'
import { Button } from '../components/button.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { Empty, FailedCard, hasFailed } from '../components/states.tsx'
import { type Column, ListCard } from '../components/table.tsx'
import { useSettled } from '../use-settled.ts'
import { SearchField } from '../components/fields/field.tsx'

const SETTLED_MS = 160

type Rows = {
  'GET /admin/users': ManagedUserView
  'GET /admin/workspaces': ManagedWorkspaceView
  'GET /admin/domains': ManagedDomainView
}
type ManagedRoute = keyof Rows

type ManagedListProps<R extends ManagedRoute> = {
  caption: string
  texts: { search: string; pages: string; noneTitle: string; none: string; clear: string }
  icon: LucideIcon
  route: R
  columns: Column<Rows[R]>[]
  /** Beside the search. */
  tools?: ReactNode
  /** Where there is nothing to search. */
  empty?: { title: string; text: string }
}

/** A list of the whole server, with a search and pages. */
export function ManagedList<R extends ManagedRoute>({ route, icon, empty, ...props }: ManagedListProps<R>) {
  const { caption, texts, columns, tools } = props
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const query = { search: useSettled(search, SETTLED_MS), page }
  const answer = useAnswer<ManagedRoute>(route, { query }, { placeholderData: keepPreviousData })
  const { data: rows, meta } = answer.data ?? {}
  const find = (text: string) => {
    setSearch(text)
    setPage(1)
  }
  if (hasFailed(answer)) return <FailedCard what={caption} query={answer} />
  return (
    <>
      <div className="tools-line">
        <div className="list-tools" role="search">
          <SearchField label={texts.search} text={search} onText={find} />
        </div>
        {tools}
      </div>
      <ListCard
        query={answer}
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
        rows={rows as Rows[R][] | undefined}
        keyOf={({ id }) => id}
      >
        {meta && <PageButtons label={texts.pages} meta={meta} onPage={setPage} />}
      </ListCard>
    </>
  )
}
