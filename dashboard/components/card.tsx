import { Download, Image, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type CsvTable, downloadCsv } from '../save-file.ts'
import { chartStrings } from './charts/chart-strings.ts'
import { Button, IconButton } from './button.tsx'
import { Failed, hasFailed } from './states.tsx'
import { TableFrame } from './table.tsx'

type CardProps = {
  title: string
  children: ReactNode
  actions?: ReactNode
  tone?: 'plain' | 'danger'
  /** What it is about. If that cannot be read, nothing but the failure is shown. */
  query?: { error: unknown; data: unknown; refetch?: () => unknown }
}

export function Card({ title, children, actions, tone = 'plain', query }: CardProps) {
  const failed = query && hasFailed(query) ? query : undefined
  return (
    <section className={`card${tone === 'danger' ? ' danger-zone' : ''}`} aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
        {actions && !failed && <div className="card-actions">{actions}</div>}
      </div>
      <div className="card-body">{failed ? <Failed what={title} query={failed} /> : children}</div>
    </section>
  )
}

type ActionCardProps = {
  title: string
  text: string
  tone?: 'plain' | 'danger'
  dialog: (onClose: () => void) => ReactNode
}

/** Something to do that a dialog asks about first. */
export function ActionCard({ title, text, tone = 'plain', dialog }: ActionCardProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={title} tone={tone}>
      <div className="form">
        <p className="soft">{text}</p>
        <div className="actions">
          <Button {...(tone === 'danger' && { variant: 'danger' as const })} onClick={() => setOpen(true)}>
            {title}
          </Button>
        </div>
      </div>
      {isOpen && dialog(() => setOpen(false))}
    </Card>
  )
}

type DataCardProps = Pick<CardProps, 'title' | 'children'> & {
  /** The same data as rows. Undefined while loading. */
  table: CsvTable | undefined
  fileName: string
  /** False for lists, which a table would only repeat. */
  hasTableView?: boolean
}

/** A card with a chart, which can be switched to a table and downloaded as CSV. */
export function DataCard({ title, children, table, fileName, hasTableView = true }: DataCardProps) {
  const [isTable, setTable] = useState(false)
  const { asTable, asPicture, download } = chartStrings
  return (
    <Card
      title={title}
      actions={
        <>
          {hasTableView && (
            <IconButton
              label={`${isTable ? asPicture : asTable}: ${title}`}
              icon={isTable ? Image : Table2}
              onClick={() => setTable(!isTable)}
            />
          )}
          <IconButton
            label={`${download}: ${title}`}
            icon={Download}
            disabled={table === undefined}
            onClick={() => table && downloadCsv(fileName, table)}
          />
        </>
      }
    >
      {isTable && table ? (
        <TableFrame label={chartStrings.tableOf(title)} heads={table.heads} hasNumbers>
          {table.rows.map((row) => (
            <tr key={String(row[0])}>
              {row.map((value, at) => (
                <td key={at} className={at === 0 ? '' : 'is-number'}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </TableFrame>
      ) : (
        children
      )}
    </Card>
  )
}
