import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, type DataOf } from '../api-client.ts'
import { nowMs } from '../now.ts'
import { CHECK_AGAIN_MS, waitingFor } from './check-again.ts'
import { useSignedIn } from '../use-session.ts'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

export type DomainRow = DataOf<'GET /domains'>[number]

const DOMAINS = ['domains']
const DOMAIN_LIST = [...DOMAINS, 'list']

export const useDomains = () =>
  useQuery({
    queryKey: DOMAIN_LIST,
    queryFn: async () => (await ask('GET /domains')).data,
    // The server looks at those that are not verified by itself.
    refetchInterval: ({ state }) => (state.data?.some(isWaiting) ? WAITING_EVERY_MS : false),
  })

const isWaiting = ({ next_check_at: next }: DomainRow): boolean => next !== null
const WAITING_EVERY_MS = 60_000

/** Whether visitors come with https. */
export const useHasTls = (): boolean => useSignedIn().instance.base_url.startsWith('https:')

/** A change of a domain. The list is then read again. */
export function useDomainChange<Input, Result>(work: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSettled: () => client.invalidateQueries({ queryKey: DOMAIN_LIST }),
  })
}

/** Looks at the domain now, and says when that fails. */
export function useDomainCheck() {
  const onError = useErrorToast()
  const change = useDomainChange((host: string) => ask('POST /domains/{host}/verify', { path: { host } }))
  return {
    isPending: change.isPending,
    check: (host: string) => change.mutate(host, { onError }),
  }
}

/** Looks at the domain again and again until all is found, for some minutes. */
export function useDomainWatch(host: string) {
  const client = useQueryClient()
  const [startedMs, setStartedMs] = useState(nowMs)
  const waiting = (domain: DomainRow | undefined) => waitingFor(domain, nowMs() - startedMs)
  const { data, error, isFetching, refetch, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: [...DOMAINS, 'check', host],
    queryFn: async () => {
      const { data } = await ask('POST /domains/{host}/verify', { path: { host } })
      await client.invalidateQueries({ queryKey: DOMAIN_LIST })
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
