import { Check, Copy, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { words } from '../words.ts'
import { Button, ButtonLink } from './button.tsx'
import { useCopy } from './copy.tsx'
import { Dialog } from './dialog.tsx'

type SecretDialogProps = {
  title: string
  /** Says what it is for, and that it is not shown again. */
  text: string
  secret: string
  copyLabel: string
  /** Offers the secret as a file of this name too. */
  fileName?: string
  /** How the secret looks. */
  children: ReactNode
  /** What stands below the secret. */
  below?: ReactNode
  onClose: () => void
}

/** A secret that is shown once. Only its button closes it, after the secret was copied or somebody says it is saved. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, text, secret, copyLabel, fileName, children, below, onClose } = props
  const [isSaved, setSaved] = useState(false)
  const markSaved = () => setSaved(true)
  const [isCopied, copy] = useCopy(secret, markSaved)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isFirm
      foot={
        <>
          <label className="check-line">
            <input type="checkbox" checked={isSaved} onChange={() => setSaved(!isSaved)} />
            {words.actions.saved}
          </label>
          <Button disabled={!isSaved} onClick={onClose}>
            {words.actions.done}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {/* Selecting the text and copying it counts too. */}
      <div onCopy={markSaved}>{children}</div>
      <div className="actions">
        <Button look="primary" icon={isCopied ? Check : Copy} data-first onClick={copy}>
          {isCopied ? words.actions.copied : copyLabel}
        </Button>
        {fileName && (
          <ButtonLink
            icon={Download}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${secret}\n`)}`}
            download={fileName}
            onClick={markSaved}
          >
            {words.actions.downloadFile}
          </ButtonLink>
        )}
      </div>
      {below}
    </Dialog>
  )
}
