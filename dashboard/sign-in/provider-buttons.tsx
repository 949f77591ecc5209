import { useMutation } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { FormFailure } from '../components/states.tsx'
import { signedOutStrings } from './signed-out-strings.ts'
import { providerStrings as texts } from './provider-strings.ts'
import { useSession } from '../use-session.ts'

/** `returnTo`: where to be after signing in; default: here. `hasOr`: another way in stands above the buttons. */
type ProviderButtonsProps = { returnTo?: string | undefined; hasOr?: boolean }

/** The ways in by single sign-on. Nothing if the operator has set none. */
export function ProviderButtons({ returnTo, hasOr = false }: ProviderButtonsProps) {
  const { providers } = useSession().data!.instance
  const start = useMutation({
    mutationFn: (provider: string) => ask('POST /session/provider', { input: { provider } }),
    onSuccess: ({ data }) => leaveForProvider(data.url, returnTo ?? pathNow()),
  })
  if (providers.length === 0) return null
  // Until the page of the provider replaces this one.
  const isLeaving = start.isPending || start.isSuccess
  return (
    <>
      {hasOr && <div className="or">{signedOutStrings.or}</div>}
      <FormFailure error={start.error} />
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="wide"
          icon={LogIn}
          isBusy={isLeaving && start.variables === id}
          onClick={() => start.mutate(id)}
        >
          {texts.continueWith(name)}
        </Button>
      ))}
    </>
  )
}

const RETURN_TO = 'sign-in-return'
const CONFIRMING = 'sign-in-confirms'
const BASE = '/dashboard'

/** A path of the dashboard, for later. */
export const pathNow = (): string => location.pathname.slice(BASE.length) + location.search

/** Remembers, in this tab, where to be after coming back. */
export function leaveForProvider(url: string, returnTo: string): void {
  sessionStorage.setItem(RETURN_TO, returnTo)
  // An earlier confirmation may have been abandoned at the provider.
  forgetConfirming()
  location.assign(url)
}

/** The same, to confirm that it is the signed-in user. */
export function leaveToConfirm(url: string, returnTo: string): void {
  leaveForProvider(url, returnTo)
  sessionStorage.setItem(CONFIRMING, '1')
}

/** Whether this tab has left to confirm. */
export const wasConfirming = (): boolean => sessionStorage.getItem(CONFIRMING) !== null

export const forgetConfirming = (): void => sessionStorage.removeItem(CONFIRMING)

/** Once. The start page if this tab never left. */
export function takeReturnPath(): string {
  const path = sessionStorage.getItem(RETURN_TO) ?? '/'
  sessionStorage.removeItem(RETURN_TO)
  return path
}
