import { SecretDialog } from '../parts/secret-dialog.tsx'
import { laterWords } from '../later-words.ts'

const { account: texts } = laterWords

export const RecoveryCodes = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <SecretDialog
    title={texts.recovery}
    text={texts.recoveryText}
    secret={codes.join('\n')}
    copyLabel={texts.copyCodes}
    fileName={texts.codesFile}
    onClose={onClose}
  >
    <ul className="recovery-codes" aria-label={texts.recovery}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  </SecretDialog>
)
