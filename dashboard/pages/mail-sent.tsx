import { MailCheck } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { fullNumber } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { FormFailure, NoticeLine } from '../parts/states.tsx'
import { RequestFailure } from '../request.ts'
import { words } from '../words.ts'
import { DoorFrame, DoorHead } from './door-frame.tsx'

const { doors: texts } = words
const WAIT_SECONDS = 60

type MailSentProps = { text: string; hasMailServer: boolean; onAgain: () => Promise<unknown> }

/** Where the mail went, and how to have it sent again. */
export function MailSent({ text, hasMailServer, onAgain }: MailSentProps) {
  const [wait, setWait] = useState(WAIT_SECONDS)
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
    <DoorFrame foot={<Link href="/sign-in">{texts.back}</Link>}>
      <MailCheck size={32} strokeWidth={1.5} className="soft" aria-hidden />
      <DoorHead title={texts.checkMail} lead={text} />
      {!hasMailServer && <NoticeLine tone="warn">{texts.outbox}</NoticeLine>}
      <FormFailure error={again.error} />
      <div className="actions">
        <Button disabled={wait > 0} isBusy={again.isPending} onClick={() => again.mutate()}>
          {wait > 0 ? texts.againIn(fullNumber(wait)) : texts.again}
        </Button>
      </div>
      <span className="only-spoken" role="status">
        {again.isSuccess ? texts.sentAgain : ''}
      </span>
    </DoorFrame>
  )
}
