import { useOnce } from '../../components/fields/use-once.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fullNumber } from '../../format.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Notice, Progress, sentenceOf } from '../../components/states.tsx'
import { useListRefresh } from '../link-queries.ts'
import { bulkStrings } from './bulk-strings.ts'
import { strings } from '../../strings.ts'
import { BulkInput } from './bulk-input.tsx'
import { BulkReport, BulkResult } from './bulk-report.tsx'
import { ROWS_MAX } from './bulk-rows.ts'
import {
  type BulkList,
  BulkStopped,
  type BulkText,
  type Checked,
  checkRows,
  createParts,
  remainingLines,
  rowsOf,
  useBulkList,
} from './bulk-work.ts'
import { useNewLinkDomain } from '../new-link.ts'

type BulkDialogProps = {
  /** Lines that were pasted before the dialog opened. */
  firstText: string
  onClose: () => void
}

/** Validates all lines before it creates any. */
export default function BulkDialog({ firstText, onClose }: BulkDialogProps) {
  const { domains, domain } = useNewLinkDomain()
  const [typed, setTyped] = useState<BulkText>({
    text: firstText,
    tags: [],
    folder: '',
    domain: domains.length > 1 ? domain : '',
  })
  const { check, create, checked, reset, done, total } = useBulkWork()
  const { table, columns, chooseColumns, list } = useBulkList(typed)
  const isTooMany = table.rows.length > ROWS_MAX
  const isRunning = check.isPending || create.isPending
  const edit = () => {
    setTyped({ ...typed, text: remainingLines(table, checked!) })
    reset()
  }
  const foot =
    checked === undefined ? (
      <Foot
        back={{ label: strings.actions.cancel, onClick: onClose }}
        next={{ label: bulkStrings.check, onClick: () => check.mutateAsync(list) }}
        missing={isTooMany ? bulkStrings.split : list.rows.length > 0 ? undefined : bulkStrings.noUrls}
        isRunning={isRunning}
      />
    ) : (
      <CreationFoot
        checked={checked}
        onBack={edit}
        onCreate={() => create.mutateAsync(checked)}
        isRunning={isRunning}
      />
    )
  if (create.data) return <BulkResult links={create.data} onClose={onClose} />
  return (
    <Dialog title={bulkStrings.title} width="wide" onClose={onClose} isFirm={isRunning} foot={foot}>
      {isRunning && <Running isCreating={create.isPending} done={done} total={total} />}
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
          table={table}
          columns={columns}
          onColumns={(next) => {
            chooseColumns(next)
            check.reset()
          }}
        />
      ) : (
        <>
          {create.error && <Stopped error={create.error} done={done} />}
          <BulkReport checked={checked} />
        </>
      )}
    </Dialog>
  )
}

type Choice = { label: string; onClick: () => unknown }
type FootProps = { back: Choice; next: Choice; missing: string | undefined; isRunning: boolean }

function Foot({ back, next, missing, isRunning }: FootProps) {
  const submit = useOnce(next.onClick)
  return (
    <>
      <Button disabled={isRunning} onClick={back.onClick}>
        {back.label}
      </Button>
      <Button variant="primary" missing={missing} isBusy={isRunning} onClick={submit}>
        {next.label}
      </Button>
    </>
  )
}

type CreationFootProps = { checked: Checked; onBack: () => void; onCreate: () => unknown; isRunning: boolean }

const CreationFoot = ({ checked, onBack, onCreate, isRunning }: CreationFootProps) => (
  <Foot
    back={{ label: bulkStrings.back, onClick: onBack }}
    next={{ label: bulkStrings.createCount(fullNumber(rowsOf(checked))), onClick: onCreate }}
    missing={rowsOf(checked) > 0 ? undefined : bulkStrings.nothingReady}
    isRunning={isRunning}
  />
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
    mutationFn: (list: BulkList) => {
      setProgress({ done: 0, total: list.rows.length })
      return checkRows(list, onProgress)
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

type RunningProps = { isCreating: boolean; done: number; total: number }

function Running({ isCreating, done, total }: RunningProps) {
  const progress = isCreating ? bulkStrings.creating : bulkStrings.checking
  const label = progress(fullNumber(done), fullNumber(total))
  return (
    <div className="stack">
      <Progress label={label} value={done} max={total} isWork />
      <span className="hint" aria-live="polite">
        {label}
      </span>
    </div>
  )
}
