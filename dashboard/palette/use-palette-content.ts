import { Link2, Plus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { hostOf } from '../format.ts'
import { looksLikeUrl, withScheme } from '../links/added-scheme.tsx'
import { CODE_CHECKS, type TrashedLink, useTrashRestoration } from '../links/trash/in-trash.tsx'
import { paletteStrings as texts } from './palette-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { allLinksRow, linkActionRows, linkRow } from './link-rows.ts'
import type { PaletteDialogs } from './palette-dialogs.tsx'
import { recentLinks } from './palette-memory.ts'
import {
  matchingRows,
  type PaletteGroup,
  paletteGroups,
  type PaletteRow,
  searchedText,
} from './palette-rows.ts'
import { useActions, useShortening } from './use-actions.ts'
import { usePlaces } from './use-places.ts'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { ask } from '../api/api-client.ts'
import type { LinkAddress } from '../links/link-address.ts'
import { linkOptions } from '../links/link-queries.ts'
import { useSettled } from '../use-settled.ts'

export type PaletteTools = { dialogs: PaletteDialogs; onHelp: () => void }

type PaletteView = {
  groups: PaletteGroup[]
  /** Says that there is nothing, or that something failed. */
  note: string
  /** The links of this text are still to come. */
  isWaiting: boolean
}

/** What the palette shows for a text; of one link, what can be done with it. */
export function usePaletteContent(text: string, of: OwnLink | undefined, tools: PaletteTools): PaletteView {
  const [path, navigate] = useLocation()
  const { user } = useSignedIn()
  const [opened] = useState(() => recentLinks(user))
  const recent = useLinksOf(opened)
  const searched = of ? '' : searchedText(text)
  const matches = useFoundLinks(searched)
  const actions = useActions(tools)
  const places = usePlaces()
  const { createTo, createWith } = useCreations(searched, tools.dialogs)
  if (of) {
    const rows = matchingRows(linkActionRows(of, { dialogs: tools.dialogs, path, navigate }), text)
    const isNone = rows.length === 0
    return {
      groups: isNone ? [] : [{ name: 'link', rows }],
      note: isNone ? texts.none(text) : '',
      isWaiting: false,
    }
  }
  const links = matches.links.map((link) => linkRow(link, navigate))
  const groups = paletteGroups({
    text,
    links: [...links, ...(links.length > 0 ? allLinksRow(matches, searched, navigate) : [])],
    recent: recent.map((link) => linkRow(link, navigate)),
    places,
    actions,
    createTo,
    createWith,
  })
  const isNone =
    text.trim() !== '' && !matches.isWaiting && groups.every(({ rows }) => rows.every(isCreation))
  const create = actions.filter(({ id }) => id === 'create')
  return {
    groups: isNone && groups.length === 0 ? [{ name: 'actions', rows: create }] : groups,
    note: matches.hasFailed ? texts.failed : isNone && !createTo ? texts.none(text.trim()) : '',
    // What is made of a URL comes first, whatever is found.
    isWaiting: matches.isWaiting && !createTo,
  }
}

const isCreation = ({ id }: PaletteRow) => id.startsWith('create')

/** What can be made of the text: a link to it, or one with that code. */
function useCreations(text: string, dialogs: PaletteDialogs) {
  const { instance, user } = useSignedIn()
  const { shorten, shortenClipboard } = useShortening(dialogs)
  const { free: code, trashed } = useSearchedCode(text)
  const restoration = useTrashRestoration()
  const isUrl = looksLikeUrl(text) && hostOf(withScheme(text)) !== hostOf(instance.base_url)
  const createTo: PaletteRow | undefined = isUrl
    ? {
        id: 'create-to',
        label: texts.actions.createTo(withScheme(text)),
        icon: Plus,
        run: () => shorten(text),
      }
    : undefined
  const createWith: PaletteRow[] = []
  if (!user.can.includes('links:create')) return { createTo: undefined, createWith }
  if (trashed !== undefined && user.can.includes('links:write')) {
    const label = texts.actions.restore(text)
    const run = () => restoration.mutate(trashed)
    createWith.push({ id: 'create-restored', label, icon: Undo2, run })
  }
  if (code !== undefined) {
    const run = () => dialogs.open({ what: 'create', form: { custom_code: code } })
    createWith.push({ id: 'create-with', label: texts.actions.createWith(code), icon: Plus, run })
    if (shortenClipboard) {
      const label = texts.actions.clipboard
      createWith.push({ id: 'create-clipboard', label, icon: Link2, run: shortenClipboard })
    }
  }
  return { createTo, createWith }
}

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
function useFoundLinks(text: string): FoundLinks {
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
function useSearchedCode(text: string): SearchedCode {
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
const useLinksOf = (addresses: readonly LinkAddress[]): OwnLink[] =>
  useQueries({ queries: addresses.map((each) => ({ ...linkOptions(each), retry: false })) }).flatMap(
    ({ data }) => (data === undefined ? [] : [data]),
  )
