import { useMutation } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { FormFailure } from '../components/states.tsx'
import { signedOutStrings } from './signed-out-strings.ts'
import { providerStrings as texts } from './provider-strings.ts'
import { useSession } from '../use-session.ts'
import { leaveForProvider, pathNow } from './provider-return.ts'

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
