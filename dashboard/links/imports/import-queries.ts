import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ImportView } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api/api-client.ts'
import { useChange } from '../../api/use-change.ts'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { fullNumber } from '../../format.ts'
import { useListRefresh } from '../link-queries.ts'
import { importStrings as texts } from './import-strings.ts'

const IMPORTS = ['imports']
const IMPORTS_PER_PAGE = 25
/** While an undo goes on. */
const REFRESH_MS = 1_000

const isUndoing = ({ state }: ImportView) => state === 'undoing'

export const useImports = (page: number) =>
  useQuery({
    queryKey: [...IMPORTS, page],
    queryFn: ({ signal }) => ask('GET /imports', { query: { page, per_page: IMPORTS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isUndoing) ? REFRESH_MS : false),
  })

export const useImport = (id: number | null) =>
  useQuery({
    queryKey: [...IMPORTS, 'one', id],
    queryFn: async ({ signal }) => (await ask('GET /imports/{id}', { path: { id: id! }, signal })).data,
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && isUndoing(data) ? REFRESH_MS : false),
  })

export type InUseChoice = 'keep' | 'trash'

/** How many links an undo would move to the trash. */
export const useUndoPlan = (id: number) =>
  useQuery({
    queryKey: [...IMPORTS, 'plan', id],
    queryFn: async ({ signal }) => {
      const input = { dry_run: true }
      return (await ask('POST /imports/{id}/undo', { path: { id }, input, signal })).data
    },
    gcTime: 0,
  })

export const useUndo = (id: number, edited: InUseChoice) =>
  useChange(() => ask('POST /imports/{id}/undo', { path: { id }, input: { edited } }), {
    said: texts.begun,
    rereads: [IMPORTS],
  })

/** Says it once an import that was being undone is undone, and reads lists of links again. */
export function useUndoneNews(imports: readonly ImportView[] | undefined): void {
  const undoing = useRef(new Set<number>())
  const toast = useToast()
  const refreshLists = useListRefresh()
  useEffect(() => {
    for (const each of imports ?? []) {
      if (isUndoing(each)) undoing.current.add(each.id)
      else if (undoing.current.delete(each.id) && each.undo !== null) {
        const { trashed, spared } = each.undo
        toast({ text: texts.done(fullNumber(trashed), spared, fullNumber(spared)) })
        refreshLists()
      }
    }
  })
}
