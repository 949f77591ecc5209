import type { ComponentProps, ReactNode } from 'react'
import { Failed, hasFailed } from './states.tsx'
import { Table } from './table.tsx'

type ListCardProps<Row> = ComponentProps<typeof Table<Row>> & {
  /** What the rows are from. */
  query: { error: unknown; refetch: () => unknown }
  /** Instead of a table without rows. */
  empty?: ReactNode
  /** Below the table. */
  children?: ReactNode
}

/** A card with a table, or with what is there instead of it. */
export const ListCard = <Row,>({ query, empty, children, ...table }: ListCardProps<Row>) => (
  <div className="card">
    {hasFailed({ error: query.error, data: table.rows }) ? (
      <Failed what={table.caption} query={query} />
    ) : empty && table.rows?.length === 0 ? (
      empty
    ) : (
      <Table {...table} />
    )}
    {children}
  </div>
)
