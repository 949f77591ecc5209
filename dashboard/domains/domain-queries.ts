import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, type DataOf } from '../api/api-client.ts'
import { nowMs } from '../now.ts'
import { CHECK_AGAIN_MS, waitingFor } from './check-again.ts'
import { type ChangeOptions, useChange } from '../api/use-change.ts'
import { useData } from '../api/use-data.ts'
import { useSignedIn } from '../use-session.ts'
import { domainStrings as texts } from './domain-strings.ts'
import { unicodeHost } from './unicode-host.ts'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

export type DomainRow = DataOf<'GET /domains'>[number]

export const DOMAINS = ['domains']

export const useDomains = () =>
  useData('GET /domains', {
    // The server looks at those that are not verified by itself.
    refetchInterval: ({ state }) => (state.data?.data.some(isWaiting) ? WAITING_EVERY_MS : false),
  })

const isWaiting = ({ next_check_at: next }: DomainRow): boolean => next !== null
const WAITING_EVERY_MS = 60_000

/** Whether visitors come with https. */
export const useHasTls = (): boolean => useSignedIn().instance.base_url.startsWith('https:')

/** A change of a domain. The list is then read again. */
export function useDomainChange<Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  options: ChangeOptions<Answer, Input> = {},
) {
  return useChange(change, { ...options, rereads: [DOMAINS], rereadsAfterFailure: true })
}

/** Makes a domain that of new links, and says so. */
export function useDefaultDomain(): (host: string) => void {
  const change = useDomainChange(
    (host: string) => ask('PUT /domains/{host}', { path: { host }, input: { is_default: true } }),
    { said: (_, host) => texts.isDefaultNow(unicodeHost(host)), onError: useErrorToast() },
  )
  return (host) => change.mutate(host)
}

/** Looks at the domain now, and says when that fails. */
export function useDomainCheck() {
  const { isPending, mutate } = useDomainChange(
    (host: string) => ask('POST /domains/{host}/verify', { path: { host } }),
    { onError: useErrorToast() },
  )
  return { isPending, check: (host: string) => mutate(host) }
}

/** Looks at the domain again and again until all is found, for some minutes. */
export function useDomainWatch(host: string) {
  const client = useQueryClient()
  const [startedMs, setStartedMs] = useState(nowMs)
  const waiting = (domain: DomainRow | undefined) => waitingFor(domain, nowMs() - startedMs)
  const { data, error, isFetching, refetch, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: ['domain-check', host],
    queryFn: async () => {
      const { data } = await ask('POST /domains/{host}/verify', { path: { host } })
      await client.invalidateQueries({ queryKey: DOMAINS })
      return data
    },
    refetchInterval: ({ state }) => CHECK_AGAIN_MS[waiting(state.data)],
  })
  const checkNow = () => {
    setStartedMs(nowMs())
    void refetch()
  }
  const everyMs = CHECK_AGAIN_MS[waiting(data)]
  const nextMs = everyMs === false ? null : Math.max(dataUpdatedAt, errorUpdatedAt) + everyMs
  return { domain: data, error, isFetching, waiting: waiting(data), nextMs, checkNow }
}
