import { SecretDialog } from '../components/dialogs/secret-dialog.tsx'
import { accountStrings } from './account-strings.ts'

export const RecoveryCodes = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <SecretDialog
    title={accountStrings.recovery}
    text={accountStrings.recoveryText}
    secret={codes.join('\n')}
    copyLabel={accountStrings.copyCodes}
    savedLabel={accountStrings.codesSaved}
    fileName={accountStrings.codesFile}
    onClose={onClose}
  >
    <ul className="recovery-codes" aria-label={accountStrings.recovery}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  </SecretDialog>
)
