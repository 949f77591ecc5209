import { FileUp } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { api } from '../api-client.ts'
import { fullNumber } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextArea } from '../parts/field.tsx'
import { FormFailure, NoticeLine, Progress } from '../parts/states.tsx'
import { useToast } from '../parts/toasts.tsx'
import { useListsAnew } from '../queries.ts'
import { words } from '../words.ts'
import {
  BATCH_MAX,
  type BulkRow,
  csvToLines,
  inBatches,
  parseLines,
  type RefusedRow,
  refusedRows,
  ROWS_MAX,
} from './bulk-rows.ts'

const FILE_BYTES_MAX = 2_000_000

type Checked = { ready: BulkRow[]; refused: RefusedRow[] }

/** Asked batch by batch; nothing is stored yet. */
async function checkRows(rows: BulkRow[]): Promise<Checked> {
  const refused: RefusedRow[] = []
  for (const batch of inBatches(rows, BATCH_MAX)) {
    const { data } = await api.checkLinks(batch.map(({ link }) => link))
    refused.push(...refusedRows(batch, data.errors))
  }
  const lines = new Set(refused.map(({ line }) => line))
  return { refused, ready: rows.filter(({ line }) => !lines.has(line)) }
}

/** Paste or drop, see what is refused and why, then create: in this order, so that nobody has to clean up. */
export default function BulkDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [checked, setChecked] = useState<Checked>()
  const [done, setDone] = useState(0)
  const toast = useToast()
  const listsAnew = useListsAnew()
  const rows = parseLines(text)
  const check = useMutation({ mutationFn: checkRows, onSuccess: setChecked })
  const create = useMutation({
    mutationFn: async ({ ready, refused }: Checked) => {
      let created = 0
      try {
        for (const batch of inBatches(ready, BATCH_MAX)) {
          await api.createLinks(batch.map(({ link }) => link))
          created += batch.length
          setDone(created)
        }
      } finally {
        // After a failure only the rest may be tried again.
        setChecked({ ready: ready.slice(created), refused })
      }
      return created
    },
    onSuccess: (created) => {
      toast({ text: words.bulk.done(fullNumber(created)) })
      onClose()
    },
    onSettled: () => listsAnew(),
  })
  const isTooMany = rows.length > ROWS_MAX
  return (
    <Dialog
      title={words.bulk.title}
      width="wide"
      onClose={onClose}
      isFirm={create.isPending}
      foot={
        checked === undefined ? (
          <>
            <Button onClick={onClose}>{words.actions.cancel}</Button>
            <Button
              look="primary"
              disabled={rows.length === 0 || isTooMany}
              isBusy={check.isPending}
              onClick={() => check.mutate(rows)}
            >
              {words.bulk.check}
            </Button>
          </>
        ) : (
          <>
            <Button disabled={create.isPending} onClick={() => setChecked(undefined)}>
              {words.bulk.back}
            </Button>
            <Button
              look="primary"
              disabled={checked.ready.length === 0}
              isBusy={create.isPending}
              onClick={() => create.mutate(checked)}
            >
              {words.bulk.createCount(fullNumber(checked.ready.length))}
            </Button>
          </>
        )
      }
    >
      {checked === undefined ? (
        <>
          <FormFailure error={check.error} />
          <LinesField
            text={text}
            onText={setText}
            error={isTooMany ? words.bulk.tooMany(fullNumber(ROWS_MAX)) : undefined}
          />
        </>
      ) : (
        <>
          {create.error && (
            <NoticeLine tone="bad">
              {words.bulk.stopped(fullNumber(done))} {create.error.message}
            </NoticeLine>
          )}
          {create.isPending && (
            <div className="stack">
              <Progress
                label={words.bulk.progress(fullNumber(done), fullNumber(checked.ready.length))}
                value={done}
                max={checked.ready.length}
              />
              <span className="hint">
                {words.bulk.progress(fullNumber(done), fullNumber(checked.ready.length))}
              </span>
            </div>
          )}
          <Report checked={checked} />
        </>
      )}
    </Dialog>
  )
}

type LinesFieldProps = { text: string; onText: (text: string) => void; error: string | undefined }

function LinesField({ text, onText, error }: LinesFieldProps) {
  const [isOver, setOver] = useState(false)
  const [fileError, setFileError] = useState<string>()
  const chooser = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > FILE_BYTES_MAX) return setFileError(words.bulk.tooLarge)
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
        label={words.bulk.label}
        hint={words.bulk.hint}
        placeholder={words.bulk.placeholder}
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
          {words.bulk.choose}
        </Button>
      </div>
    </div>
  )
}

function Report({ checked: { ready, refused } }: { checked: Checked }) {
  return (
    <div className="stack" aria-live="polite">
      {refused.length > 0 && (
        <>
          <NoticeLine tone="warn">
            <strong>{words.bulk.refused(fullNumber(refused.length))}.</strong> {words.bulk.refusedHint}
          </NoticeLine>
          <div
            className="table-frame card"
            tabIndex={0}
            role="region"
            aria-label={words.bulk.refused(fullNumber(refused.length))}
          >
            <table className="table has-sticky-head is-tight">
              <thead>
                <tr>
                  <th scope="col">{words.bulk.row}</th>
                  <th scope="col">{words.bulk.address}</th>
                  <th scope="col">{words.bulk.reason}</th>
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
      <NoticeLine>{words.bulk.ready(fullNumber(ready.length))}</NoticeLine>
    </div>
  )
}
