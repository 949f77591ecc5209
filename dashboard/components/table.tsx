import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'
import { Failed, hasFailed } from './states.tsx'

export type Column<Row> = {
  id: string
  head: string
  /** For screen readers only: a column of switches or menus needs no visible head. */
  isHeadHidden?: boolean
  /** Instead of the text: a check box, a button that sorts. */
  headCell?: ReactNode
  /** The rows are in the order of this column. */
  sorting?: 'ascending' | 'descending' | undefined
  isNumber?: boolean
  cell: (row: Row) => ReactNode
  /** Shown while rows are loading. */
  skeleton?: ReactNode
}

/** At the end of a row: a menu. */
export const menuColumn = <Row,>(column: Pick<Column<Row>, 'head' | 'cell'>): Column<Row> => ({
  id: 'menu',
  isHeadHidden: true,
  isNumber: true,
  skeleton: <Skeleton width={20} height={20} />,
  ...column,
})

type TableProps<Row> = {
  caption: string
  columns: Column<Row>[]
  /** Undefined while loading. */
  rows: Row[] | undefined
  keyOf: (row: Row) => string | number
  rowClass?: (row: Row) => string
  /** A click anywhere in a row opens its `.row-link`. */
  opensRows?: boolean
  rowEvents?: (row: Row) => ComponentProps<'tr'>
  className?: string
  /** When rows become cards, a value but the first has its head beside it. */
  hasLabels?: boolean
  skeletonRows?: number
}

const SKELETON = <Skeleton width={96} height={14} />

/**
 * A table with a sticky head. On a phone each row is a card. Roles are explicit, because browsers drop them from tables
 * that CSS displays as something else.
 */
export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    keyOf,
    rowClass,
    className = '',
    hasLabels = true,
    skeletonRows = 5,
  } = props
  const press = props.opensRows ? { onClick: openRow } : {}
  return (
    <table
      role="table"
      className={`table has-sticky-head becomes-cards ${props.opensRows ? 'opens-rows ' : ''}${className}`}
      aria-busy={rows === undefined}
    >
      <caption className="only-spoken">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ id, head, headCell, isHeadHidden, isNumber, sorting }) => (
            <th
              key={id}
              role="columnheader"
              scope="col"
              aria-sort={sorting}
              className={`col-${id}${isNumber ? ' is-number' : ''}`}
            >
              {headCell ?? (isHeadHidden ? <span className="only-spoken">{head}</span> : head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows === undefined
          ? Array.from({ length: skeletonRows }, (_, at) => <SkeletonRow key={at} columns={columns} />)
          : rows.map((row) => (
              <tr
                role="row"
                key={keyOf(row)}
                className={rowClass?.(row)}
                {...press}
                {...props.rowEvents?.(row)}
              >
                {columns.map(({ id, head, isHeadHidden, isNumber, cell }, at) => (
                  <td
                    key={id}
                    role="cell"
                    className={`cell-${id} col-${id}${isNumber ? ' is-number' : ''}`}
                    data-label={hasLabels && at > 0 && !isHeadHidden ? head : undefined}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
    </table>
  )
}

const SkeletonRow = <Row,>({ columns }: { columns: Column<Row>[] }) => (
  <tr role="row">
    {columns.map(({ id, isNumber, skeleton = SKELETON }) => (
      <td key={id} role="cell" className={`cell-${id} col-${id}${isNumber ? ' is-number' : ''}`}>
        {skeleton}
      </td>
    ))}
  </tr>
)

type TableFrameProps = {
  label: string
  heads: readonly string[]
  className?: string
  /** All columns but the first have numbers. */
  hasNumbers?: boolean
  isCard?: boolean
  children: ReactNode
}

/** A table that scrolls in a frame of its own. */
export const TableFrame = ({ label, heads, className = '', ...rest }: TableFrameProps) => (
  <div className={`table-frame${rest.isCard ? ' card' : ''}`} tabIndex={0} role="region" aria-label={label}>
    <table className={`table is-tight has-sticky-head ${className}`}>
      <caption className="only-spoken">{label}</caption>
      <thead>
        <tr>
          {heads.map((head, at) => (
            <th key={head} scope="col" className={rest.hasNumbers && at > 0 ? 'is-number' : ''}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{rest.children}</tbody>
    </table>
  </div>
)

/** Controls in a row that handle clicks themselves. */
const PRESSED = 'a, button, input, select, label'

/**
 * A click anywhere in a row clicks its `.row-link`, with the same modifier keys, which may open a new tab. Selecting text
 * does not.
 */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget
  const target = event.target as Element
  // React events bubble from a row's menu to the row, although the menu is elsewhere in the DOM.
  if (!row.contains(target) || target.closest(PRESSED)) return
  const selection = getSelection()
  if (selection && !selection.isCollapsed && selection.containsNode(row, true)) return
  const { ctrlKey, metaKey, shiftKey } = event
  const press = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
  row.querySelector('.row-link')?.dispatchEvent(new globalThis.MouseEvent('click', press))
}

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
