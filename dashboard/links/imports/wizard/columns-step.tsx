import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { Select } from '../../../components/fields/field.tsx'
import { FailedCard, FormFailure, hasFailed, Notice } from '../../../components/states.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { columnsAfter } from './column-choices.ts'
import { checkJob, editJob, useJobChange, useJobColumns } from '../job-queries.ts'
import type { ImportColumnsView, ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import type { JobOptions } from '../job-queries.ts'
import { WizardFrame } from './wizard-frame.tsx'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.columns

/** Which column of a table is which field of a link. */
export function ColumnsStep({ job }: { job: ImportJobView }) {
  const { id } = job
  const [, navigate] = useLocation()
  const query = useJobColumns(id)
  const { data: table } = query
  const { save, saved, error } = useOptions(job)
  const check = useJobChange(
    async () => {
      await saved()
      return checkJob(id)
    },
    { onSuccess: () => navigate(`/imports/${id}`) },
  )
  const hasDestination = table?.columns.some(({ kind }) => kind === 'destination')
  return (
    <WizardFrame
      step="check"
      isUpload
      title={texts.title}
      lead={texts.lead(job.files.map(({ name }) => name).join(', '))}
      foot={{
        left: <Button onClick={() => navigate(`/imports/${id}?step=upload`)}>{wizardStrings.goBack}</Button>,
        right: (
          <Button
            variant="primary"
            isBusy={check.isPending}
            missing={hasDestination === false ? texts.noDestination : undefined}
            onClick={() => check.mutate()}
          >
            {texts.check}
          </Button>
        ),
      }}
    >
      <FormFailure error={check.error ?? error} />
      {hasFailed(query) ? (
        <FailedCard what={texts.caption} query={query} />
      ) : (
        <>
          <div className="card">
            <Table
              caption={texts.caption}
              className="column-table"
              columns={tableColumns(table, (columns) => save({ columns }))}
              rows={table?.columns.map((column, at) => ({ ...column, at }))}
              keyOf={({ at }) => at}
            />
          </div>
          {table && <TableOptions table={table} onChange={save} />}
        </>
      )}
    </WizardFrame>
  )
}

/** Changes are saved one after the other, each with those before it. `saved`: once all of them are. */
function useOptions({ id, options }: ImportJobView) {
  const latest = useRef(options)
  const saving = useRef(Promise.resolve())
  const { mutateAsync, error } = useJobChange(() => editJob(id, { options: latest.current }))
  const save = (change: JobOptions) => {
    latest.current = { ...latest.current, ...change }
    const next = saving.current.catch(() => {}).then(async () => void (await mutateAsync()))
    // `error` says it.
    next.catch(() => {})
    saving.current = next
  }
  return { save, saved: () => saving.current, error }
}

type ColumnRow = ImportColumnsView['columns'][number] & { at: number }

function tableColumns(
  table: ImportColumnsView | undefined,
  onColumns: (columns: NonNullable<JobOptions['columns']>) => void,
): Column<ColumnRow>[] {
  if (table === undefined) return HEADS
  const { columns, kinds } = table
  const nameOf = ({ name, at }: ColumnRow) => name || texts.unnamed(at + 1)
  const cells: Record<string, Column<ColumnRow>['cell']> = {
    name: nameOf,
    values: ({ values }) => (
      <span className="cut">{values.map((value) => value || texts.empty).join(' · ')}</span>
    ),
    field: (row) => (
      <Select
        size="small"
        aria-label={texts.fieldOf(nameOf(row))}
        value={row.kind ?? ''}
        choices={[
          { value: '' as const, label: texts.none },
          ...kinds.map(({ name, title }) => ({ value: name, label: title })),
        ]}
        onChoice={(kind) => onColumns(columnsAfter(columns, kinds, { at: row.at, kind: kind || null }))}
      />
    ),
    note: ColumnNote,
  }
  return HEADS.map((head) => ({ ...head, cell: cells[head.id]! }))
}

const HEADS: Column<ColumnRow>[] = [
  { id: 'name', head: texts.column, cell: () => null },
  { id: 'values', head: texts.values, cell: () => null },
  { id: 'field', head: texts.field, cell: () => null },
  { id: 'note', head: texts.result, isHeadHidden: true, cell: () => null },
]

function ColumnNote({ kind, note, problem }: ColumnRow) {
  if (problem !== null) {
    return (
      <span className="column-note is-bad">
        <CircleAlert size={16} aria-hidden />
        {problem}
      </span>
    )
  }
  if (kind === null) return null
  return note === null ? (
    <span className="column-note is-ok">
      <CircleCheck size={16} aria-hidden />
      <span className="only-spoken">{texts.isRead}</span>
    </span>
  ) : (
    <span className="column-note">
      <Info size={16} aria-hidden />
      {note}
    </span>
  )
}

type Encoding = NonNullable<JobOptions['encoding']>
const ENCODINGS = Object.entries(texts.encodings).map(([value, label]) => ({
  value: value as Encoding,
  label,
}))

/** A separator that has no name here is shown as it is. */
const delimitersWith = (delimiter: string) =>
  Object.entries({ [delimiter]: delimiter, ...texts.delimiters }).map(([value, label]) => ({ value, label }))

type TableOptionsProps = { table: ImportColumnsView; onChange: (options: JobOptions) => void }

const TableOptions = ({ table, onChange }: TableOptionsProps) => (
  <div className="column-options">
    <label>
      {texts.delimiter}
      <Select
        size="small"
        value={table.delimiter}
        choices={delimitersWith(table.delimiter)}
        onChoice={(delimiter) => onChange({ delimiter })}
      />
    </label>
    <label>
      {texts.encoding}
      <Select
        size="small"
        value={table.encoding as Encoding}
        choices={ENCODINGS}
        onChoice={(encoding) => onChange({ encoding })}
      />
    </label>
    <label className="check-line">
      <input
        type="checkbox"
        checked={table.has_header}
        onChange={({ target }) => onChange({ has_header: target.checked })}
      />
      {texts.hasHeader}
    </label>
    {table.columns.length === 0 && <Notice tone="warn">{texts.noDestination}</Notice>}
  </div>
)
