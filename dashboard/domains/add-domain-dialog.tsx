import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormDialog } from '../components/form.tsx'
import { Notice, sentenceOf } from '../components/states.tsx'
import { domainStrings as texts } from '../strings/domain-strings.ts'
import { type DomainRow, useDomainChange, useDomainWatch, useHasTls } from './domain-queries.ts'
import { DomainRecords } from './domain-records.tsx'
import { CertificateStatus } from './domain-status.tsx'
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
      isBusy={add.isPending}
      isDisabled={host.trim() === ''}
      error={add.error}
      onSubmit={() => add.mutate(host.trim())}
      onClose={onClose}
    >
      <HostField label={texts.name} hint={texts.addText} host={host} onHost={setHost} error={add.error} />
    </FormDialog>
  )
}

function VerifyDialog({ domain, onClose }: { domain: DomainRow; onClose: () => void }) {
  const { domain: found, error, isFetching, waiting, checkNow } = useDomainWatch(domain.host)
  const hasTls = useHasTls()
  return (
    <Dialog
      title={domain.host}
      width="wide"
      onClose={onClose}
      foot={
        <>
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
        <h3>{texts.waiting}</h3>
        <div role="status">
          {error ? (
            <Notice tone="bad">{sentenceOf(error)}</Notice>
          ) : found === undefined ? (
            <Notice>{texts.looking}</Notice>
          ) : found.status === 'active' ? (
            <Notice>{texts.found}</Notice>
          ) : (
            <Notice tone="warn">{found.failure ?? texts.looking}</Notice>
          )}
        </div>
        {hasTls && found !== undefined && (
          <p className="domain-line">
            <span>{texts.certificateOf}</span>
            <CertificateStatus domain={found} />
          </p>
        )}
        {waiting !== 'done' && <p className="hint">{texts.waitingFor[waiting]}</p>}
      </div>
    </Dialog>
  )
}
