import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { SelectField, TextArea } from '../components/field.tsx'
import { errorsOf, FormFailure } from '../components/states.tsx'
import { fullNumber } from '../format.ts'
import { RequestFailure } from '../request.ts'
import { bulkStrings } from '../strings/bulk-strings.ts'
import { editorStrings } from '../strings/editor-strings.ts'
import { type BulkCommon, csvToLines, ROWS_MAX } from './bulk-rows.ts'
import { errorsOfEach } from './errors-of-each.ts'
import { LabelFields } from './labels/label-fields.tsx'

const FILE_BYTES_MAX = 2_000_000

export type BulkText = BulkCommon & { text: string }

type BulkInputProps = {
  typed: BulkText
  onTyped: (part: Partial<BulkText>) => void
  /** Where links can be made. */
  domains: readonly string[]
  /** Of the check. */
  error: unknown
  isTooMany: boolean
}

/** The lines, and what all of their links get. */
export const BulkInput = ({ typed, onTyped, domains, error, isTooMany }: BulkInputProps) => (
  <>
    <FormFailure error={error} />
    <LinesField
      text={typed.text}
      onText={(text) => onTyped({ text })}
      error={isTooMany ? bulkStrings.tooMany(fullNumber(ROWS_MAX)) : undefined}
    />
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
  const [fileError, setFileError] = useState<string>()
  const chooser = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > FILE_BYTES_MAX) return setFileError(bulkStrings.tooLarge)
    setFileError(undefined)
    onText(csvToLines(await file.text()))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  const errors = [error, fileError].filter((each) => each !== undefined)
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
      <div>
        <input
          ref={chooser}
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          hidden
          onChange={(event) => void take(event.target.files?.[0])}
        />
        <Button icon={FileUp} size="small" onClick={() => chooser.current?.click()}>
          {bulkStrings.choose}
        </Button>
      </div>
    </div>
  )
}
