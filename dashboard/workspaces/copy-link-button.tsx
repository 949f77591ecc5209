import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { OneTimeLink } from '../components/dialogs/secret-dialog.tsx'
import { ask, type DataOf } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { useCopyNow } from '../components/copy.tsx'
import { strings } from '../strings.ts'
import { workspaceStrings } from './workspace-strings.ts'
import { useMemberChange } from './member-queries.ts'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { useOnce } from '../components/fields/use-once.ts'

const { invitations: texts } = workspaceStrings

type Invitation = Pick<DataOf<'GET /members/invitations'>[number], 'id' | 'email'>

/** Makes a new link and copies it. Where the browser does not allow that, it is shown. */
export function CopyLinkButton({ invitation: { id, email } }: { invitation: Invitation }) {
  const [shown, setShown] = useState<string>()
  const [isCopied, setCopied] = useState(false)
  const copyNow = useCopyNow()
  const renewal = useMemberChange(() => ask('POST /members/invitations/{id}/link', { path: { id } }), {
    onError: useErrorToast(),
  })
  const copy = useOnce(async () => {
    const { link } = (await renewal.mutateAsync()).data
    if (await copyNow(link)) setCopied(true)
    else setShown(link)
  })
  return (
    <>
      <Button
        size="small"
        icon={isCopied ? Check : Copy}
        isBusy={renewal.isPending}
        aria-label={isCopied ? strings.actions.copied : texts.copyLinkOf(email)}
        onClick={copy}
      >
        {isCopied ? strings.actions.copied : texts.copyLink}
      </Button>
      {shown && (
        <OneTimeLink
          title={texts.linkTitle}
          text={texts.linkText(email)}
          link={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}
