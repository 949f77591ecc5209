import { useQuery } from '@tanstack/react-query'
import type { DestinationView } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api-client.ts'
import { RequestFailure } from '../../request.ts'
import { useSettled } from '../../use-settled.ts'
import { useSignedIn } from '../../use-session.ts'
import { withScheme } from '../pasted-url.ts'

const SETTLED_MS = 400
/** A host name that is still typed has no dot yet. */
const HAS_WHOLE_HOST = /^https?:\/\/(?:[^/?#\s]+\.[^/?#\s]+|\[)/i

/** What the page of a destination answers. Undefined where there is nothing to look at, or nothing to say about it. */
export type LookedAt = {
  url: string
  isLooking: boolean
  /** Null: it could not be looked at. */
  look: DestinationView | null | undefined
  again: () => void
}

/** Looks when typing stops. Parts that ask for the same URL share the answer. */
export function useDestination(typed: string): LookedAt | undefined {
  const { instance } = useSignedIn()
  const url = withScheme(typed)
  const checkedUrl = useSettled(url, SETTLED_MS)
  const isAsked = instance.looks_at_destinations && checkedUrl === url && HAS_WHOLE_HOST.test(url)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['destination', checkedUrl],
    queryFn: async ({ signal }) =>
      (await ask('POST /destinations/look', { input: { url: checkedUrl }, signal })).data,
    enabled: isAsked,
    staleTime: Infinity,
    retry: false,
  })
  // What links may not have is said when the link is saved.
  const isInvalid = error instanceof RequestFailure && error.kind === 'invalid'
  if (!isAsked || isInvalid) return undefined
  return { url, isLooking: isFetching, look: error ? null : data, again: () => void refetch() }
}
