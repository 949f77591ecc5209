import { FileUp } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { fullNumber } from '../format.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextArea } from '../components/field.tsx'
import { FormFailure, Notice, Progress, sentenceOf } from '../components/states.tsx'
import { useListRefresh } from '../queries.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { strings } from '../strings/strings.ts'
import { BulkResult } from './bulk-result.tsx'
import { csvToLines, parseLines, ROWS_MAX } from './bulk-rows.ts'
import { BulkStopped, type Checked, checkRows, createParts, remainingLines, rowsOf } from './bulk-work.ts'

const FILE_BYTES_MAX = 2_000_000

type BulkDialogProps = {
  /** Lines that were pasted before the dialog opened. */
  firstText: string
  onClose: () => void
}

/** Validates all lines before it creates any. */
export default function BulkDialog({ firstText, onClose }: BulkDialogProps) {
  const [text, setText] = useState(firstText)
  const { check, create, checked, reset, done, total } = useBulkWork()
  const rows = parseLines(text)
  const isTooMany = rows.length > ROWS_MAX
  const isRunning = check.isPending || create.isPending
  const edit = () => {
    setText(remainingLines(text, checked!))
    reset()
  }
  if (create.data) return <BulkResult links={create.data} onClose={onClose} />
  const progress = create.isPending ? lazyStrings.bulk.creating : lazyStrings.bulk.checking
  const foot =
    checked === undefined ? (
      <Foot
        back={{ label: strings.actions.cancel, onClick: onClose }}
        next={{ label: lazyStrings.bulk.check, onClick: () => check.mutate(rows) }}
        isReady={rows.length > 0 && !isTooMany}
        isRunning={isRunning}
      />
    ) : (
      <Foot
        back={{ label: lazyStrings.bulk.back, onClick: edit }}
        next={{
          label: lazyStrings.bulk.createCount(fullNumber(rowsOf(checked))),
          onClick: () => create.mutate(checked),
        }}
        isReady={rowsOf(checked) > 0}
        isRunning={isRunning}
      />
    )
  return (
    <Dialog title={lazyStrings.bulk.title} width="wide" onClose={onClose} isFirm={isRunning} foot={foot}>
      {isRunning && (
        <Running label={progress(fullNumber(done), fullNumber(total))} done={done} total={total} />
      )}
      {checked === undefined ? (
        <>
          <FormFailure error={check.error} />
          <LinesField
            text={text}
            onText={setText}
            error={isTooMany ? lazyStrings.bulk.tooMany(fullNumber(ROWS_MAX)) : undefined}
          />
        </>
      ) : (
        <>
          {create.error && <Stopped error={create.error} done={done} />}
          <Report checked={checked} />
        </>
      )}
    </Dialog>
  )
}

type Choice = { label: string; onClick: () => void }
type FootProps = { back: Choice; next: Choice; isReady: boolean; isRunning: boolean }

const Foot = ({ back, next, isReady, isRunning }: FootProps) => (
  <>
    <Button disabled={isRunning} onClick={back.onClick}>
      {back.label}
    </Button>
    <Button variant="primary" disabled={!isReady} isBusy={isRunning} onClick={next.onClick}>
      {next.label}
    </Button>
  </>
)

const Stopped = ({ error, done }: { error: Error; done: number }) => (
  <Notice tone="bad">
    {lazyStrings.bulk.stopped(fullNumber(done))}{' '}
    {sentenceOf(error instanceof BulkStopped ? error.cause : error)}
  </Notice>
)

function useBulkWork() {
  const [checked, setChecked] = useState<Checked>()
  const [{ done, total }, setProgress] = useState({ done: 0, total: 0 })
  /** Links created before the list was edited. They are part of the result. */
  const earlier = useRef<Checked['created']>([])
  const refreshLists = useListRefresh()
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
      // Only the remaining parts may be retried.
      if (!(error instanceof BulkStopped)) return
      const { length: created } = error.left.created
      setChecked(error.left)
      setProgress({ done: created, total: created + rowsOf(error.left) })
    },
    onSettled: () => refreshLists(),
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
    if (file.size > FILE_BYTES_MAX) return setFileError(lazyStrings.bulk.tooLarge)
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
        label={lazyStrings.bulk.label}
        hint={lazyStrings.bulk.hint}
        placeholder={lazyStrings.bulk.placeholder}
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
          {lazyStrings.bulk.choose}
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
          <Notice tone="warn">
            <strong>{lazyStrings.bulk.refused(fullNumber(refused.length))}.</strong>{' '}
            {checked.created.length === 0 && `${lazyStrings.bulk.nothingYet} `}
            {lazyStrings.bulk.refusedHint}
          </Notice>
          <div
            className="table-frame card"
            tabIndex={0}
            role="region"
            aria-label={lazyStrings.bulk.refused(fullNumber(refused.length))}
          >
            <table className="table has-sticky-head is-tight">
              <thead>
                <tr>
                  <th scope="col">{lazyStrings.bulk.row}</th>
                  <th scope="col">{lazyStrings.bulk.url}</th>
                  <th scope="col">{lazyStrings.bulk.reason}</th>
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
      <Notice>{lazyStrings.bulk.ready(fullNumber(rowsOf(checked)))}</Notice>
    </div>
  )
}
