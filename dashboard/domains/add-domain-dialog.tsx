import { strings } from '../strings.ts'
import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { Notice, sentenceOf } from '../components/states.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import { nowMs } from '../now.ts'
import { unicodeHost } from './unicode-host.ts'
import { DomainCheckList } from './domain-check-list.tsx'
import { type DomainRow, useDomainChange, useDomainWatch } from './domain-queries.ts'
import { DomainRecords } from './domain-records.tsx'
import { HostField } from './host-field.tsx'

/** The name first, then what to set, and whether it is there. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const [host, setHost] = useState('')
  const add = useDomainChange((name: string) => ask('POST /domains', { input: { host: name } }))
  if (add.data !== undefined) return <VerifyDialog domain={add.data.data} onClose={onClose} />
  return (
    <FormDialog
      title={texts.add}
      action={texts.add}
      width="wide"
      mutation={add}
      missing={host.trim() === '' ? strings.missing.domain : undefined}
      onSubmit={() => add.mutate(host.trim())}
      onClose={onClose}
    >
      <HostField label={texts.name} hint={texts.addText} host={host} onHost={setHost} error={add.error} />
    </FormDialog>
  )
}

function VerifyDialog({ domain, onClose }: { domain: DomainRow; onClose: () => void }) {
  const { domain: found, error, isFetching, waiting, nextMs, checkNow } = useDomainWatch(domain.host)
  return (
    <Dialog
      title={unicodeHost(domain.host)}
      width="wide"
      onClose={onClose}
      foot={
        <>
          {found?.status !== 'active' && <span className="soft domain-foot">{texts.goesOn}</span>}
          <Button icon={RefreshCw} isBusy={isFetching} onClick={checkNow}>
            {texts.check}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </>
      }
    >
      <div className="form">
        <DomainRecords domain={domain} />
        <div className="domain-wait">
          <h3>{texts.waiting}</h3>
          {waiting !== 'done' && (
            <span className="soft">
              {isFetching ? texts.looking : nextMs === null ? texts.stopped : <NextCheck atMs={nextMs} />}
            </span>
          )}
        </div>
        <div role="status">
          {error && <Notice tone="bad">{sentenceOf(error)}</Notice>}
          {found?.status === 'active' && <Notice>{texts.found}</Notice>}
          <DomainCheckList domain={found} />
        </div>
      </div>
    </Dialog>
  )
}

const SECOND_MS = 1_000

function NextCheck({ atMs }: { atMs: number }) {
  const [now, setNow] = useState(nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return texts.nextCheck(Math.max(1, Math.ceil((atMs - now) / SECOND_MS)))
}
