import { Download } from 'lucide-react'
import { Button, ButtonLink } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { words } from '../words.ts'

const { account: texts } = words

/** Shown this once: it is closed by saying so, and by nothing else. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const lines = codes.join('\n')
  return (
    <Dialog
      title={texts.recovery}
      onClose={onClose}
      isFirm
      foot={
        <Button look="primary" onClick={onClose}>
          {texts.recoveryStored}
        </Button>
      }
    >
      <p>{texts.recoveryText}</p>
      <ul className="recovery-codes" aria-label={texts.recovery}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton text={lines} label={texts.copyCodes} />
        <ButtonLink
          icon={Download}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${lines}\n`)}`}
          download={texts.codesFile}
        >
          {texts.downloadCodes}
        </ButtonLink>
      </div>
    </Dialog>
  )
}
