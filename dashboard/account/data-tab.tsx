import { Download } from 'lucide-react'
import { ask, exportUrl } from '../api-client.ts'
import { ButtonLink } from '../components/button.tsx'
import { ActionCard, Card } from '../components/card.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { useSessionChange, useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { DeletionDialog } from './confirm-field.tsx'

export function DataTab() {
  return (
    <>
      <Card title={accountStrings.export}>
        <div className="form">
          <p className="soft">{accountStrings.exportText}</p>
          <div className="actions">
            <ButtonLink icon={Download} href={exportUrl()} download>
              {accountStrings.exportButton}
            </ButtonLink>
          </div>
        </div>
      </Card>
      <ActionCard
        title={accountStrings.delete}
        text={accountStrings.deleteText}
        tone="danger"
        dialog={(onClose) => <DeleteDialog onClose={onClose} />}
      />
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { email } = useSignedIn().user
  const toast = useToast()
  const signedOut = useSessionChange()
  return (
    <DeletionDialog
      texts={{
        title: accountStrings.delete,
        action: accountStrings.deleteButton,
        text: accountStrings.deleteText,
        confirm: accountStrings.deleteConfirm,
      }}
      name={email}
      remove={(password) => ask('DELETE /account', { input: { password } })}
      onSuccess={() => {
        toast({ text: accountStrings.deleted })
        return signedOut()
      }}
      onClose={onClose}
    />
  )
}
