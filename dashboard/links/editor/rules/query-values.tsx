import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../components/button.tsx'
import { Select, TextField, VERBATIM } from '../../../components/fields/field.tsx'
import { ruleStrings } from './rule-strings.ts'

const { query: texts } = ruleStrings
const NAMES_MAX = 10

type Query = Record<string, string | true>
/** `value`: true is any. */
type Parameter = { name: string; value: string | true }

type QueryValuesProps = { query: Query; onQuery: (query: Query) => void }

export function QueryValues({ query, onQuery }: QueryValuesProps) {
  // Rows, because two may have the same name, or none, while they are typed.
  const [rows, setRows] = useState<Parameter[]>(() => {
    const pairs = Object.entries(query).map(([name, value]) => ({ name, value }))
    return pairs.length === 0 ? [{ name: '', value: true }] : pairs
  })
  const change = (next: Parameter[]) => {
    setRows(next)
    onQuery(
      Object.fromEntries(next.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
    )
  }
  return (
    <>
      {rows.map((row, at) => (
        <ParameterRow
          // Rows have no name of their own.
          key={at}
          row={row}
          onRow={(next) => change(rows.with(at, next))}
          onRemove={rows.length > 1 ? () => change(rows.toSpliced(at, 1)) : undefined}
        />
      ))}
      {rows.length < NAMES_MAX && (
        <Button size="small" icon={Plus} onClick={() => setRows([...rows, { name: '', value: true }])}>
          {texts.add}
        </Button>
      )}
      <p className="hint">{texts.hint}</p>
    </>
  )
}

type ParameterRowProps = {
  row: Parameter
  onRow: (row: Parameter) => void
  onRemove: (() => void) | undefined
}

const ParameterRow = ({ row: { name, value }, onRow, onRemove }: ParameterRowProps) => (
  <div className="query-row">
    <TextField
      label={texts.name}
      {...VERBATIM}
      placeholder="utm_source"
      value={name}
      onText={(text) => onRow({ name: text, value })}
    />
    <span className="query-value">
      <Select
        aria-label={texts.kind}
        size="small"
        choices={[
          { value: 'any', label: texts.any },
          { value: 'is', label: texts.is },
        ]}
        value={value === true ? 'any' : 'is'}
        onChoice={(choice) => onRow({ name, value: choice === 'any' ? true : '' })}
      />
      {onRemove && <IconButton label={texts.remove} icon={X} onClick={onRemove} />}
    </span>
    {value !== true && (
      <TextField
        label={texts.value}
        {...VERBATIM}
        value={value}
        onText={(text) => onRow({ name, value: text })}
      />
    )}
  </div>
)
