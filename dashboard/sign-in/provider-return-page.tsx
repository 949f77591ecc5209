import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { sentenceOf } from '../components/states.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { signedOutStrings } from './signed-out-strings.ts'
import { providerStrings as texts } from './provider-strings.ts'
import { SESSION, useSession, useSessionChange } from '../use-session.ts'
import { forgetConfirming, takeReturnPath, wasConfirming } from './provider-buttons.tsx'
import { CodeForm } from './sign-in-page.tsx'
import { SignedOutFrame, SignedOutHeading, SignedOutNotice } from './signed-out-frame.tsx'
import { useTitle } from '../use-title.ts'

/** Where a provider sends the browser back to. What it has said works once, so it is sent once. */
export default function ProviderReturnPage({ provider }: { provider: string }) {
  const [isConfirming] = useState(wasConfirming)
  // Not during rendering, which may be discarded and repeated, and would then sign in instead of confirming.
  useEffect(forgetConfirming, [])
  return isConfirming ? <ConfirmingPage provider={provider} /> : <EnteringPage provider={provider} />
}

function EnteringPage({ provider }: { provider: string }) {
  useTitle(signedOutStrings.signIn)
  const enter = useEntering()
  const toast = useToast()
  const [needsCode, setNeedsCode] = useState(false)
  const back = useMutation({
    mutationFn: (query: string) => ask('POST /session/provider/return', { input: { provider, query } }),
    onSuccess: ({ data: { outcome } }) => {
      if (outcome === 'needs-code') return setNeedsCode(true)
      if (outcome === 'linked') toast({ text: texts.linked })
      return enter()
    },
  })
  useReturnedQuery(back.mutate)
  if (needsCode) return <ProviderCode onSignedIn={enter} />
  if (back.error) return <NotSignedIn error={back.error} />
  return (
    <SignedOutFrame>
      <SignedOutHeading title={texts.returning} />
    </SignedOutFrame>
  )
}

/** Of a user who has confirmed that it is them. */
function ConfirmingPage({ provider }: { provider: string }) {
  useTitle(texts.confirming)
  const client = useQueryClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const back = useMutation({
    mutationFn: (query: string) =>
      ask('POST /session/confirm/provider/return', { input: { provider, query } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: SESSION })
      toast({ text: texts.confirmed })
      navigate(takeReturnPath(), { replace: true })
    },
  })
  useReturnedQuery(back.mutate)
  if (!back.error) {
    return (
      <SignedOutFrame>
        <SignedOutHeading title={texts.confirming} />
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame>
      <SignedOutNotice title={texts.notConfirmed} lead={sentenceOf(back.error)} />
      <Button variant="primary" size="wide" onClick={() => navigate(takeReturnPath(), { replace: true })}>
        {signedOutStrings.goToAccount}
      </Button>
    </SignedOutFrame>
  )
}

function useReturnedQuery(send: (query: string) => void): void {
  const sendQuery = useEffectEvent(() => {
    const query = location.search
    // The code is used up, and should not stand in the history.
    history.replaceState(history.state, '', location.pathname)
    send(query)
  })
  useEffect(() => sendQuery(), [])
}

/** Loads the user, and goes where the browser was before it left. */
function useEntering() {
  const onChanged = useSessionChange()
  const [, navigate] = useLocation()
  return async () => {
    await onChanged()
    navigate(takeReturnPath(), { replace: true })
  }
}

function NotSignedIn({ error }: { error: unknown }) {
  const { user } = useSession().data!
  const [, navigate] = useLocation()
  const wasLinking = user !== null
  return (
    <SignedOutFrame>
      <SignedOutNotice title={wasLinking ? texts.notLinked : texts.failed} lead={sentenceOf(error)} />
      <Button
        variant="primary"
        size="wide"
        onClick={() => navigate(wasLinking ? '/account/security' : '/sign-in', { replace: true })}
      >
        {wasLinking ? signedOutStrings.goToAccount : signedOutStrings.back}
      </Button>
    </SignedOutFrame>
  )
}

const ProviderCode = ({ onSignedIn }: { onSignedIn: () => Promise<void> }) => (
  <SignedOutFrame>
    <SignedOutHeading title={signedOutStrings.signIn} lead={signedOutStrings.codeLead} />
    <CodeForm
      send={(code) => ask('POST /session/provider/code', { input: { code } })}
      onSignedIn={onSignedIn}
    />
  </SignedOutFrame>
)
