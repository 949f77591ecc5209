import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fullNumber } from '../format.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Notice, Progress, sentenceOf } from '../components/states.tsx'
import { useListRefresh } from '../queries.ts'
import { bulkStrings } from '../strings/bulk-strings.ts'
import { strings } from '../strings/strings.ts'
import { BulkInput, type BulkText } from './bulk-input.tsx'
import { BulkResult } from './bulk-result.tsx'
import { parseLines, ROWS_MAX, withCommon } from './bulk-rows.ts'
import { useNewLinkDomain } from './use-new-link-domain.ts'
import { BulkStopped, type Checked, checkRows, createParts, remainingLines, rowsOf } from './bulk-work.ts'

type BulkDialogProps = {
  /** Lines that were pasted before the dialog opened. */
  firstText: string
  onClose: () => void
}

/** Validates all lines before it creates any. */
export default function BulkDialog({ firstText, onClose }: BulkDialogProps) {
  const { domains, domain } = useNewLinkDomain()
  const [typed, setTyped] = useState<BulkText>({
    ...{ text: firstText, tags: [], folder: '' },
    domain: domains.length > 1 ? domain : '',
  })
  const { check, create, checked, reset, done, total } = useBulkWork()
  const rows = withCommon(parseLines(typed.text), typed)
  const isTooMany = rows.length > ROWS_MAX
  const isRunning = check.isPending || create.isPending
  const edit = () => {
    setTyped({ ...typed, text: remainingLines(typed.text, checked!) })
    reset()
  }
  if (create.data) return <BulkResult links={create.data} onClose={onClose} />
  const progress = create.isPending ? bulkStrings.creating : bulkStrings.checking
  const foot =
    checked === undefined ? (
      <Foot
        back={{ label: strings.actions.cancel, onClick: onClose }}
        next={{ label: bulkStrings.check, onClick: () => check.mutate(rows) }}
        isReady={rows.length > 0 && !isTooMany}
        isRunning={isRunning}
      />
    ) : (
      <Foot
        back={{ label: bulkStrings.back, onClick: edit }}
        next={{
          label: bulkStrings.createCount(fullNumber(rowsOf(checked))),
          onClick: () => create.mutate(checked),
        }}
        isReady={rowsOf(checked) > 0}
        isRunning={isRunning}
      />
    )
  return (
    <Dialog title={bulkStrings.title} width="wide" onClose={onClose} isFirm={isRunning} foot={foot}>
      {isRunning && (
        <Running label={progress(fullNumber(done), fullNumber(total))} done={done} total={total} />
      )}
      {checked === undefined ? (
        <BulkInput
          typed={typed}
          domains={domains}
          onTyped={(part) => {
            setTyped({ ...typed, ...part })
            check.reset()
          }}
          error={check.error}
          isTooMany={isTooMany}
        />
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
    {bulkStrings.stopped(fullNumber(done))} {sentenceOf(error instanceof BulkStopped ? error.cause : error)}
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
    onSettled: refreshLists,
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

function Report({ checked }: { checked: Checked }) {
  const { refused } = checked
  return (
    <div className="stack" aria-live="polite">
      {refused.length > 0 && (
        <>
          <Notice tone="warn">
            <strong>{bulkStrings.refused(fullNumber(refused.length))}.</strong>{' '}
            {checked.created.length === 0 && `${bulkStrings.nothingYet} `}
            {bulkStrings.refusedHint}
          </Notice>
          <div
            className="table-frame card"
            tabIndex={0}
            role="region"
            aria-label={bulkStrings.refused(fullNumber(refused.length))}
          >
            <table className="table has-sticky-head is-tight">
              <thead>
                <tr>
                  <th scope="col">{bulkStrings.row}</th>
                  <th scope="col">{bulkStrings.url}</th>
                  <th scope="col">{bulkStrings.reason}</th>
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
      <Notice>{bulkStrings.ready(fullNumber(rowsOf(checked)))}</Notice>
    </div>
  )
}
