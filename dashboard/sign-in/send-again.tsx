import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { waitText } from '../format.ts'
import { Button } from '../components/button.tsx'
import { FormFailure } from '../components/states.tsx'
import { RequestFailure } from '../request.ts'
import { signedOutStrings } from './signed-out-strings.ts'

/** The server sends three emails an hour to one address, and quick presses would use them up. */
const WAIT_SECONDS = 60

type SendAgainProps = { onAgain: () => Promise<unknown>; hasJustSent: boolean }

/** Sends the email again after a wait. After a 429, as long as the server says. */
export function SendAgain({ onAgain, hasJustSent }: SendAgainProps) {
  const [wait, setWait] = useState(hasJustSent ? WAIT_SECONDS : 0)
  const again = useMutation({
    mutationFn: onAgain,
    onSettled: (_, error) =>
      setWait((error instanceof RequestFailure && error.details.retryAfterSeconds) || WAIT_SECONDS),
  })
  useEffect(() => {
    if (wait === 0) return
    const timer = setTimeout(() => setWait(wait - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait])
  return (
    <>
      <FormFailure error={again.error} />
      <div className="actions">
        <Button disabled={wait > 0} isBusy={again.isPending} onClick={() => again.mutate()}>
          {wait > 0 ? signedOutStrings.againIn(waitText(wait)) : signedOutStrings.again}
        </Button>
        <span className="soft" role="status">
          {again.isSuccess ? signedOutStrings.sentAgain : ''}
        </span>
      </div>
    </>
  )
}
