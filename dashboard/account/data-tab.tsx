import { Download } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, exportUrl } from '../api-client.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { useSessionChange, useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { DeletionDialog } from './deletion-dialog.tsx'

export function DataTab() {
  const [isAsking, setAsking] = useState(false)
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
      <Card title={accountStrings.delete} tone="danger">
        <div className="form">
          <p className="soft">{accountStrings.deleteText}</p>
          <div className="actions">
            <Button variant="danger" onClick={() => setAsking(true)}>
              {accountStrings.delete}
            </Button>
          </div>
        </div>
      </Card>
      {isAsking && <DeleteDialog onClose={() => setAsking(false)} />}
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { email } = useSignedIn().user
  const toast = useToast()
  const signedOut = useSessionChange()
  const deletion = useMutation({
    mutationFn: (password: string) => ask('DELETE /account', { input: { password } }),
    onSuccess: () => {
      toast({ text: accountStrings.deleted })
      return signedOut()
    },
  })
  const dialogTexts = {
    title: accountStrings.delete,
    action: accountStrings.deleteButton,
    text: accountStrings.deleteText,
    confirm: accountStrings.deleteConfirm,
  }
  return <DeletionDialog texts={dialogTexts} name={email} deletion={deletion} onClose={onClose} />
}
