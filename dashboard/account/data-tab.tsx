import { Download } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, exportUrl } from '../api-client.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { useToast } from '../components/toasts.tsx'
import { useSessionChange, useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { DeletionDialog } from './deletion-dialog.tsx'

const { account: texts } = lazyStrings

export function DataTab() {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Card title={texts.export}>
        <div className="form">
          <p className="soft">{texts.exportText}</p>
          <div className="actions">
            <ButtonLink icon={Download} href={exportUrl()} download>
              {texts.exportButton}
            </ButtonLink>
          </div>
        </div>
      </Card>
      <Card title={texts.delete} tone="danger">
        <div className="form">
          <p className="soft">{texts.deleteText}</p>
          <div className="actions">
            <Button variant="danger" onClick={() => setAsking(true)}>
              {texts.delete}
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
      toast({ text: texts.deleted })
      return signedOut()
    },
  })
  const dialogTexts = {
    ...{ title: texts.delete, action: texts.deleteButton },
    ...{ text: texts.deleteText, confirm: texts.deleteConfirm },
  }
  return <DeletionDialog texts={dialogTexts} name={email} deletion={deletion} onClose={onClose} />
}
