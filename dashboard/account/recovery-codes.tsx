import { SecretDialog } from '../components/secret-dialog.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'

const { account: texts } = lazyStrings

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
