import { Download, Image, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type CsvTable, downloadCsv } from '../csv.ts'
import { chartStrings } from './charts/chart-strings.ts'
import { IconButton } from './button.tsx'
import { PlainTable } from './table.tsx'

type CardProps = { title: string; children: ReactNode; actions?: ReactNode; tone?: 'plain' | 'danger' }

export const Card = ({ title, children, actions, tone = 'plain' }: CardProps) => (
  <section className={`card${tone === 'danger' ? ' danger-zone' : ''}`} aria-label={title}>
    <div className="card-head">
      <h2>{title}</h2>
      {actions && <div className="card-actions">{actions}</div>}
    </div>
    <div className="card-body">{children}</div>
  </section>
)

type DataCardProps = CardProps & {
  /** The same data as rows. Undefined while loading. */
  table: CsvTable | undefined
  fileName: string
  /** False for lists, which a table would only repeat. */
  hasTableView?: boolean
}

/** A card with a chart, which can be switched to a table and downloaded as CSV. */
export function DataCard({ title, children, actions, table, fileName, hasTableView = true }: DataCardProps) {
  const [isTable, setTable] = useState(false)
  const { asTable, asPicture, download } = chartStrings
  return (
    <Card
      title={title}
      actions={
        <>
          {actions}
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
        <PlainTable caption={chartStrings.tableOf(title)} heads={table.heads} rows={table.rows} />
      ) : (
        children
      )}
    </Card>
  )
}
