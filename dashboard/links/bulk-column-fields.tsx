import { SelectField } from '../components/field.tsx'
import { bulkStrings } from '../strings/bulk-strings.ts'
import {
  BULK_FIELDS,
  type BulkColumns,
  type BulkField,
  type BulkTable,
  columnNames,
  isPlain,
} from './bulk-columns.ts'

const NONE = ''

type BulkColumnFieldsProps = {
  table: BulkTable
  columns: BulkColumns
  onColumns: (columns: BulkColumns) => void
}

/** Which column is read as what. Nothing for a list that has the order of the dialog. */
export function BulkColumnFields({ table, columns, onColumns }: BulkColumnFieldsProps) {
  if (isPlain(table)) return undefined
  const names = columnNames(table)
  const unused = names.filter((_, at) => !Object.values(columns).includes(at))
  const choices = names.map((label, at) => ({ value: String(at), label }))
  const choose = (field: BulkField, value: string) => {
    const { [field]: _, ...others } = columns
    onColumns(value === NONE ? others : { ...others, [field]: Number(value) })
  }
  return (
    <fieldset className="stack bulk-columns">
      <legend>{bulkStrings.columns}</legend>
      <div>
        {BULK_FIELDS.map((field) => (
          <SelectField
            key={field}
            label={bulkStrings.column[field]}
            value={columns[field] === undefined ? NONE : String(columns[field])}
            choices={[{ value: NONE, label: bulkStrings.noColumn }, ...choices]}
            onChoice={(value) => choose(field, value)}
            errors={field === 'url' && columns.url === undefined ? [bulkStrings.chooseUrl] : undefined}
          />
        ))}
      </div>
      {unused.length > 0 && <span className="hint">{bulkStrings.unused(unused.join(', '))}</span>}
    </fieldset>
  )
}
