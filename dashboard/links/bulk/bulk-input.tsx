import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { SelectField, TextArea } from '../../components/fields/field.tsx'
import { errorsOf, errorsOfEach, FormFailure, Notice } from '../../components/states.tsx'
import { fullNumber } from '../../format.ts'
import { RequestFailure } from '../../api/request.ts'
import { bulkStrings } from './bulk-strings.ts'
import { editorStrings } from '../editor/editor-strings.ts'
import {
  BULK_FIELDS,
  type BulkColumns,
  type BulkField,
  type BulkTable,
  columnNames,
  isPlain,
} from './bulk-columns.ts'
import { ROWS_MAX } from './bulk-rows.ts'
import { LabelFields } from '../labels/label-fields.tsx'
import type { BulkText } from './bulk-work.ts'

const NONE = ''

type BulkColumnFieldsProps = {
  table: BulkTable
  columns: BulkColumns
  onColumns: (columns: BulkColumns) => void
}

/** Which column is read as what. Nothing for a list that has the order of the dialog. */
function BulkColumnFields({ table, columns, onColumns }: BulkColumnFieldsProps) {
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

const FILE_BYTES_MAX = 5_000_000

/** Reads a file that was chosen or dropped. `isWindows1252`: its accents may be wrong. */
function useCsvFile(onText: (text: string) => void) {
  const [error, setError] = useState<string>()
  const [isWindows1252, setWindows1252] = useState(false)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    setWindows1252(false)
    if (file.size > FILE_BYTES_MAX) return setError(bulkStrings.tooLarge)
    const decoded = decodeFile(new Uint8Array(await file.arrayBuffer()))
    if (decoded === undefined) return setError(bulkStrings.notText)
    setError(undefined)
    setWindows1252(decoded.isWindows1252)
    onText(decoded.text)
  }
  return { take, error, isWindows1252 }
}

type BulkInputProps = {
  typed: BulkText
  onTyped: (part: Partial<BulkText>) => void
  /** Where links can be made. */
  domains: readonly string[]
  /** Of the check. */
  error: unknown
  isTooMany: boolean
  table: BulkTable
  columns: BulkColumns
  onColumns: (columns: BulkColumns) => void
}

/** The lines, and what all of their links get. */
export const BulkInput = ({ typed, onTyped, domains, error, isTooMany, ...columns }: BulkInputProps) => (
  <>
    <FormFailure error={error} />
    <LinesField
      text={typed.text}
      onText={(text) => onTyped({ text })}
      error={isTooMany ? bulkStrings.tooMany(fullNumber(ROWS_MAX)) : undefined}
    />
    <BulkColumnFields {...columns} />
    {domains.length > 1 && (
      <SelectField
        label={editorStrings.domain}
        value={typed.domain}
        choices={domains.map((host) => ({ value: host, label: host }))}
        onChoice={(domain) => onTyped({ domain })}
        errors={errorsOf(error, 'domain')}
      />
    )}
    <LabelFields
      tags={typed.tags}
      onTags={(tags) => onTyped({ tags })}
      tagErrors={error instanceof RequestFailure ? errorsOfEach(error.fields, 'tags', typed.tags) : undefined}
      folder={typed.folder}
      onFolder={(folder) => onTyped({ folder })}
      folderErrors={errorsOf(error, 'folder')}
    />
  </>
)

type LinesFieldProps = { text: string; onText: (text: string) => void; error: string | undefined }

function LinesField({ text, onText, error }: LinesFieldProps) {
  const [isOver, setOver] = useState(false)
  const file = useCsvFile(onText)
  const chooser = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void file.take(event.dataTransfer.files[0])
  }
  const errors = [error, file.error].filter((each) => each !== undefined)
  return (
    <div
      className={`drop stack${isOver ? ' is-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <TextArea
        label={bulkStrings.label}
        hint={bulkStrings.hint}
        placeholder={bulkStrings.placeholder}
        errors={errors}
        value={text}
        onText={onText}
        rows={9}
        autoFocus
      />
      {file.isWindows1252 && text !== '' && <Notice tone="warn">{bulkStrings.isWindows1252}</Notice>}
      <div>
        <input
          ref={chooser}
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          hidden
          onChange={({ target }) => {
            void file.take(target.files?.[0])
            // The same file, corrected, can be chosen again.
            target.value = ''
          }}
        />
        <Button icon={FileUp} size="small" onClick={() => chooser.current?.click()}>
          {bulkStrings.choose}
        </Button>
      </div>
    </div>
  )
}

type BulkFile = { text: string; isWindows1252: boolean }

/** The text of a CSV file, in the encodings that spreadsheets write. Undefined if it is not text. */
export function decodeFile(bytes: Uint8Array): BulkFile | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return { text: new TextDecoder(utf16).decode(bytes), isWindows1252: false }
  if (bytes.includes(0)) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isWindows1252: false }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isWindows1252: true }
  }
}

/** By its byte order mark, which "Unicode text" of Excel has. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}
