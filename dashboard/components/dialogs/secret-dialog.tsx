import { Check, Copy, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { strings } from '../../strings.ts'
import { missingStrings } from '../fields/missing-strings.ts'
import { Button, ButtonLink } from '../button.tsx'
import { useCopy } from '../copy.tsx'
import { Dialog } from './dialog.tsx'

/** The English texts of the dialog that shows a secret once. */
const secretStrings = {
  download: 'Download',
  done: 'Done',
  copyLink: 'Copy link',
  linkSaved: 'I saved this link',
}

type SecretDialogProps = {
  title: string
  text: string
  secret: string
  copyLabel: string
  savedLabel: string
  /** If set, the secret can also be downloaded under this name. */
  fileName?: string
  /** Instead of the secret itself. */
  children?: ReactNode
  below?: ReactNode
  onClose: () => void
}

/** Shows a secret once. Only its button closes it, after the user has copied the secret or confirmed that it is saved. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, text, secret, copyLabel, savedLabel, fileName, children, below, onClose } = props
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
            {savedLabel}
          </label>
          <Button missing={isSaved ? undefined : missingStrings.saved} onClick={onClose}>
            {secretStrings.done}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {/* Selecting the text and copying it counts too. */}
      <div onCopy={markSaved}>
        {children ?? (
          <pre className="secret" role="group" aria-label={title}>
            {secret}
          </pre>
        )}
      </div>
      <div className="actions">
        <Button variant="primary" icon={isCopied ? Check : Copy} data-first onClick={copy}>
          {isCopied ? strings.actions.copied : copyLabel}
        </Button>
        {fileName && (
          <ButtonLink
            icon={Download}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${secret}\n`)}`}
            download={fileName}
            onClick={markSaved}
          >
            {secretStrings.download}
          </ButtonLink>
        )}
      </div>
      {below}
    </Dialog>
  )
}

type LinkOnceProps = { title: string; text: string; link: string; onClose: () => void }

/** For servers without email: the operator passes the link on. */
export const OneTimeLink = ({ title, text, link, onClose }: LinkOnceProps) => (
  <SecretDialog
    title={title}
    text={text}
    secret={link}
    copyLabel={secretStrings.copyLink}
    savedLabel={secretStrings.linkSaved}
    onClose={onClose}
  />
)
