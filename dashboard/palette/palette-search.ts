import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import type { LinkAddress } from '../link-address.ts'
import { looksLikeUrl } from '../links/pasted-url.ts'
import { linkOptions } from '../queries.ts'
import { CODE_CHECKS, type TrashedLink } from '../links/trash/trash-queries.ts'
import { useSettled } from '../use-settled.ts'

const SETTLED_MS = 80
/** What a code looks like. The server knows whether it may be one. */
const CODE = /^[\w-]{3,60}$/

export type FoundLinks = {
  links: readonly OwnLink[]
  total: number
  isMore: boolean
  /** What is shown was found for an earlier text. */
  isWaiting: boolean
  hasFailed: boolean
}

/** Until the answer is there, the one before it stays. */
export function useFoundLinks(text: string): FoundLinks {
  const searchText = useSettled(text, SETTLED_MS)
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['links', 'find', searchText],
    queryFn: ({ signal }) => ask('GET /find-links', { query: { search: searchText }, signal }),
    enabled: searchText !== '',
    placeholderData: keepPreviousData,
    // The next key asks again.
    retry: false,
  })
  const isOf = searchText === text && !isPlaceholderData
  const hasFailed = text !== '' && isOf && error !== null && !isFetching
  return {
    links: text === '' || hasFailed ? [] : ((data?.data ?? []) as OwnLink[]),
    total: data?.meta.total ?? 0,
    isMore: data?.meta.is_more ?? false,
    isWaiting: text !== '' && !(isOf && (data !== undefined || hasFailed)),
    hasFailed,
  }
}

type SearchedCode = { free: string | undefined; trashed: TrashedLink | undefined }

/** The text as a code, if it is free; otherwise with a number, if that is. `trashed`: the deleted link that has the code. */
export function useSearchedCode(text: string): SearchedCode {
  const searchText = useSettled(text, SETTLED_MS)
  const isCode = CODE.test(searchText) && !looksLikeUrl(searchText)
  const { data } = useQuery({
    queryKey: [...CODE_CHECKS, 'free', searchText],
    queryFn: async ({ signal }): Promise<SearchedCode> => {
      const check = async (code: string) => (await ask('GET /codes/{code}', { path: { code }, signal })).data
      const { is_free: isFree, trashed_link: trashed } = await check(searchText)
      if (isFree || trashed !== null)
        return { free: isFree ? searchText : undefined, trashed: trashed ?? undefined }
      const numbered = `${searchText}-2`
      return { free: (await check(numbered)).is_free ? numbered : undefined, trashed: undefined }
    },
    enabled: isCode,
    retry: false,
  })
  return (searchText === text && isCode && data) || { free: undefined, trashed: undefined }
}

/** Those that are still there. */
export const useLinksOf = (addresses: readonly LinkAddress[]): OwnLink[] =>
  useQueries({ queries: addresses.map((each) => ({ ...linkOptions(each), retry: false })) }).flatMap(
    ({ data }) => (data === undefined ? [] : [data]),
  )
