import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api } from '../api-client.ts'
import { Button } from '../parts/button.tsx'
import { FormFailure, NoticeLine } from '../parts/states.tsx'
import { useSessionChange } from '../queries.ts'
import { words } from '../words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'
import { useMailedToken } from './mailed-token.ts'
import { useTitle } from './use-title.ts'

const { doors: texts } = words

/** Opening the link only shows a button: programs that scan mails open links too. */
export default function VerifyPage() {
  useTitle(texts.verifyTitle)
  const token = useMailedToken()
  const changed = useSessionChange()
  const [, navigate] = useLocation()
  const verify = useMutation({ mutationFn: api.verifyEmail, onSuccess: changed })
  if (verify.isSuccess) {
    return (
      <DoorFrame>
        <DoorHead title={texts.verified} lead={texts.verifiedLead} />
        <Button look="primary" size="wide" onClick={() => navigate('/')}>
          {texts.goOn}
        </Button>
      </DoorFrame>
    )
  }
  return (
    <DoorFrame>
      <DoorHead title={texts.verifyTitle} lead={texts.verifyLead} />
      <FormFailure error={verify.error} />
      {token === undefined ? (
        <NoticeLine tone="bad">{texts.tokenMissing}</NoticeLine>
      ) : (
        <Button look="primary" size="wide" isBusy={verify.isPending} onClick={() => verify.mutate(token)}>
          {texts.verify}
        </Button>
      )}
    </DoorFrame>
  )
}
