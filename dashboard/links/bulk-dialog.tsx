import { FileUp } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { fullNumber } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextArea } from '../parts/field.tsx'
import { FormFailure, NoticeLine, Progress, sentenceOf } from '../parts/states.tsx'
import { useListsAnew } from '../queries.ts'
import { laterWords } from '../later-words.ts'
import { words } from '../words.ts'
import { BulkResult } from './bulk-result.tsx'
import { csvToLines, parseLines, ROWS_MAX } from './bulk-rows.ts'
import { BulkStopped, type Checked, checkRows, createParts, linesLeft, rowsOf } from './bulk-work.ts'

const FILE_BYTES_MAX = 2_000_000

type BulkDialogProps = {
  /** What was pasted already. */
  firstText: string
  onClose: () => void
}

/** Paste or drop, see what is refused and why, then create: in this order, so that nobody has to clean up. */
export default function BulkDialog({ firstText, onClose }: BulkDialogProps) {
  const [text, setText] = useState(firstText)
  const { check, create, checked, reset, done, total } = useBulkWork()
  const rows = parseLines(text)
  const isTooMany = rows.length > ROWS_MAX
  const isRunning = check.isPending || create.isPending
  const mend = () => {
    setText(linesLeft(text, checked!))
    reset()
  }
  if (create.data) return <BulkResult links={create.data} onClose={onClose} />
  const progress = create.isPending ? laterWords.bulk.creating : laterWords.bulk.checking
  const foot =
    checked === undefined ? (
      <>
        <Button disabled={isRunning} onClick={onClose}>
          {words.actions.cancel}
        </Button>
        <Button
          look="primary"
          disabled={rows.length === 0 || isTooMany}
          isBusy={check.isPending}
          onClick={() => check.mutate(rows)}
        >
          {laterWords.bulk.check}
        </Button>
      </>
    ) : (
      <>
        <Button disabled={isRunning} onClick={mend}>
          {laterWords.bulk.back}
        </Button>
        <Button
          look="primary"
          disabled={rowsOf(checked) === 0}
          isBusy={create.isPending}
          onClick={() => create.mutate(checked)}
        >
          {laterWords.bulk.createCount(fullNumber(rowsOf(checked)))}
        </Button>
      </>
    )
  return (
    <Dialog title={laterWords.bulk.title} width="wide" onClose={onClose} isFirm={isRunning} foot={foot}>
      {isRunning && (
        <Running label={progress(fullNumber(done), fullNumber(total))} done={done} total={total} />
      )}
      {checked === undefined ? (
        <>
          <FormFailure error={check.error} />
          <LinesField
            text={text}
            onText={setText}
            error={isTooMany ? laterWords.bulk.tooMany(fullNumber(ROWS_MAX)) : undefined}
          />
        </>
      ) : (
        <>
          {create.error && (
            <NoticeLine tone="bad">
              {laterWords.bulk.stopped(fullNumber(done))}{' '}
              {sentenceOf(create.error instanceof BulkStopped ? create.error.cause : create.error)}
            </NoticeLine>
          )}
          <Report checked={checked} />
        </>
      )}
    </Dialog>
  )
}

/** Checking, then creating, and how far it has got. */
function useBulkWork() {
  const [checked, setChecked] = useState<Checked>()
  const [{ done, total }, setProgress] = useState({ done: 0, total: 0 })
  /** What was created before the list was edited: it belongs to the result too. */
  const earlier = useRef<Checked['created']>([])
  const listsAnew = useListsAnew()
  const onProgress = (rows: number) => setProgress((before) => ({ ...before, done: before.done + rows }))
  const check = useMutation({
    mutationFn: (rows: Parameters<typeof checkRows>[0]) => {
      setProgress({ done: 0, total: rows.length })
      return checkRows(rows, onProgress)
    },
    onSuccess: (result) => {
      setProgress({ done: 0, total: rowsOf(result) })
      setChecked({ ...result, created: earlier.current })
    },
  })
  const create = useMutation({
    mutationFn: (wanted: Checked) => createParts(wanted, onProgress),
    onError: (error) => {
      // Only the rest may be tried again.
      if (!(error instanceof BulkStopped)) return
      const { length: created } = error.left.created
      setChecked(error.left)
      setProgress({ done: created, total: created + rowsOf(error.left) })
    },
    onSettled: () => listsAnew(),
  })
  const reset = () => {
    create.reset()
    earlier.current = checked?.created ?? []
    setChecked(undefined)
  }
  return { check, create, checked, reset, done, total }
}

const Running = ({ label, done, total }: { label: string; done: number; total: number }) => (
  <div className="stack">
    <Progress label={label} value={done} max={total} isWork />
    <span className="hint" aria-live="polite">
      {label}
    </span>
  </div>
)

type LinesFieldProps = { text: string; onText: (text: string) => void; error: string | undefined }

function LinesField({ text, onText, error }: LinesFieldProps) {
  const [isOver, setOver] = useState(false)
  const [fileError, setFileError] = useState<string>()
  const chooser = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > FILE_BYTES_MAX) return setFileError(laterWords.bulk.tooLarge)
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
        label={laterWords.bulk.label}
        hint={laterWords.bulk.hint}
        placeholder={laterWords.bulk.placeholder}
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
          {laterWords.bulk.choose}
        </Button>
      </div>
    </div>
  )
}

function Report({ checked }: { checked: Checked }) {
  const { refused } = checked
  return (
    <div className="stack" aria-live="polite">
      {refused.length > 0 && (
        <>
          <NoticeLine tone="warn">
            <strong>{laterWords.bulk.refused(fullNumber(refused.length))}.</strong>{' '}
            {checked.created.length === 0 && `${laterWords.bulk.nothingYet} `}
            {laterWords.bulk.refusedHint}
          </NoticeLine>
          <div
            className="table-frame card"
            tabIndex={0}
            role="region"
            aria-label={laterWords.bulk.refused(fullNumber(refused.length))}
          >
            <table className="table has-sticky-head is-tight">
              <thead>
                <tr>
                  <th scope="col">{laterWords.bulk.row}</th>
                  <th scope="col">{laterWords.bulk.address}</th>
                  <th scope="col">{laterWords.bulk.reason}</th>
                </tr>
              </thead>
              <tbody>
                {refused.map(({ line, link, reasons }) => (
                  <tr key={line}>
                    <td>{fullNumber(line)}</td>
                    <td>
                      <span className="code">{link.original_url}</span>
                    </td>
                    <td>{reasons.join(' ')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <NoticeLine>{laterWords.bulk.ready(fullNumber(rowsOf(checked)))}</NoticeLine>
    </div>
  )
}
