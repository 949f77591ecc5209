import { Check, Copy, ExternalLink, RefreshCw } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { ShareView } from '../../src/http/endpoints/browser-types.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { useCopy } from '../components/copy.tsx'
import { Dialog, Question } from '../components/dialogs/dialog.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { TextField } from '../components/fields/field.tsx'
import { Form } from '../components/fields/form.tsx'
import { SwitchRow } from '../components/fields/switch.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Failed, hasFailed } from '../components/states.tsx'
import { strings } from '../strings.ts'
import { useCan } from '../use-session.ts'
import { ShareBadge } from './share-badge.tsx'
import { ShareFields } from './share-fields.tsx'
import { useShareForm } from './share-form.ts'
import { type ShareSubject, useShare, useShareChanges } from './share-queries.ts'
import { shareStrings as texts } from './share-strings.ts'
import './shares.css'

type ShareDialogProps = { subject: ShareSubject; onClose: () => void }

/** Shares the statistics of a link, a tag or a folder on a public page. Viewers see how they are shared. */
export default function ShareDialog({ subject, onClose }: ShareDialogProps) {
  const share = useShare(subject)
  const changes = useShareChanges(subject, useErrorToast())
  const canShare = useCan('shares:write')
  const isOn = Boolean(share.data)
  const shareSwitch = canShare && share.data !== undefined && (
    <SwitchRow
      label={texts.share(subject.name)}
      text={isOn ? texts.hint : texts.notShared}
      isOn={isOn}
      isDisabled={changes.turn.isPending}
      onSwitch={(turnOn) => changes.turn.mutate(turnOn)}
    />
  )
  if (share.data)
    return (
      <SharedDialog key={share.data.url} {...{ subject, changes, onClose, canShare }} share={share.data}>
        {shareSwitch}
      </SharedDialog>
    )
  return (
    <Dialog title={texts.title} width="wide" onClose={onClose}>
      {hasFailed(share) ? (
        <Failed query={share} />
      ) : share.data === undefined ? (
        <Skeleton width={320} height={20} />
      ) : (
        shareSwitch || <p>{texts.notShared}</p>
      )}
    </Dialog>
  )
}

type SharedDialogProps = ShareDialogProps & {
  share: ShareView
  changes: ReturnType<typeof useShareChanges>
  canShare: boolean
  children: ReactNode
}

function SharedDialog({ subject, share, changes, canShare, onClose, children }: SharedDialogProps) {
  const id = useId()
  const fields = useShareForm(share)
  const [isResetting, setResetting] = useState(false)
  const [isCopied, copy] = useCopy(share.url)
  const { edit, reset } = changes
  const isDirty = fields.changes !== undefined
  const save = () =>
    fields.changes &&
    edit.mutateAsync(fields.changes, { onSuccess: () => fields.set({ password: undefined }) })
  return (
    <Dialog
      title={texts.title}
      width="wide"
      onClose={onClose}
      foot={
        <>
          {canShare && (
            <span className="share-reset">
              <Button icon={RefreshCw} onClick={() => setResetting(true)}>
                {texts.reset}
              </Button>
            </span>
          )}
          <ButtonLink icon={ExternalLink} href={share.url} target="_blank" rel="noreferrer">
            {texts.open}
          </ButtonLink>
          {isDirty ? (
            <Button type="submit" form={id} variant="primary" isBusy={edit.isPending}>
              {texts.save}
            </Button>
          ) : (
            <Button variant="primary" icon={isCopied ? Check : Copy} data-first onClick={copy}>
              {isCopied ? strings.actions.copied : texts.copy}
            </Button>
          )}
        </>
      }
    >
      {children}
      <TextField
        label={texts.link}
        value={share.url}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Form id={id} error={edit.error} onSubmit={save}>
        <ShareFields {...{ subject, share, fields, canShare }} />
      </Form>
      <ShareBadge share={share} />
      {isResetting && (
        <Question
          title={texts.resetTitle}
          text={texts.resetText}
          action={texts.reset}
          onYes={() => reset.mutateAsync()}
          onClose={() => setResetting(false)}
        />
      )}
    </Dialog>
  )
}
