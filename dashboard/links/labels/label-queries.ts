import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LabelView } from '../../../src/http/endpoints/browser-types.ts'
import { ask } from '../../api/api-client.ts'
import { labelColor, type TagColors } from '../../components/tag.tsx'
import { useChange } from '../../api/use-change.ts'
import { labelStrings } from './label-strings.ts'
import type { Option } from '../../components/pickers/option-rows.ts'
import { shortNumber } from '../../format.ts'

/** Changes of tags and folders, and of links that may create some, invalidate it. */
export const LABELS = ['labels']
const LINKS = ['links']

/** Tags and folders of the workspace, with the number of their links. */
export type LabelKind = 'tags' | 'folders'

const STALE_MS = 30_000

export const useLabels = (kind: LabelKind, isWanted = true) =>
  useQuery({
    enabled: isWanted,
    queryKey: [...LABELS, kind],
    queryFn: async ({ signal }) => (await ask(`GET /${kind}`, { signal })).data,
    staleTime: STALE_MS,
  })

const NO_COLORS: TagColors = new Map()

/** By name. Empty until they are loaded. */
export const useTagColors = (): TagColors => {
  const { data } = useLabels('tags')
  return data === undefined ? NO_COLORS : new Map(data.map(({ name, color }) => [name, color]))
}

type LabelChange = { label: LabelView; input: { name: string } | { color: number } }

/** Shown at once. If the server refuses, what it has is loaded again. */
export function useLabelEdit(kind: LabelKind) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ label: { id }, input }: LabelChange) =>
      (await ask(`PUT /${kind}/{id}`, { path: { id }, input })).data,
    onMutate: async ({ label, input }) => {
      await client.cancelQueries({ queryKey: LABELS })
      client.setQueryData<LabelView[]>([...LABELS, kind], (labels) =>
        labels?.map((each) => (each.id === label.id ? { ...each, ...input } : each)),
      )
    },
    onSettled: () => refreshLabels(client),
  })
}

type Removal = {
  label: LabelView
  /** Undefined: its links lose it. */
  into: LabelView | undefined
}

/** Merges a label into another one, or deletes it. With many links it takes seconds. */
export function useLabelRemoval(kind: LabelKind) {
  return useChange(
    async ({ label: { id }, into }: Removal): Promise<void> => {
      if (into === undefined) await ask(`DELETE /${kind}/{id}`, { path: { id } })
      else await ask(`POST /${kind}/{id}/merge`, { path: { id }, input: { into: into.id } })
    },
    {
      said: (_, { label: { name }, into }) =>
        into ? labelStrings.merged(name, into.name) : labelStrings.deleted(name),
      rereads: [LABELS, LINKS],
      rereadsAfterFailure: true,
    },
  )
}

async function refreshLabels(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: LINKS })
  await client.invalidateQueries({ queryKey: LABELS })
}

/** Those that the list of its name shows: archived links are left out of it. */
export const listedLinks = ({ link_count: links, archived_link_count: archived }: LabelView): number =>
  links - archived

/** Of tags or folders, to choose by name. */
export const labelOptions = (labels: readonly LabelView[] | undefined): Option[] | undefined =>
  labels?.map((label) => ({
    value: label.name,
    label: label.name,
    color: labelColor(label.color),
    detail: shortNumber(listedLinks(label)),
  }))

/** How tags are sent. The last one may still be being typed. */
export const tagsInput = (tags: readonly string[]) =>
  tags.map((tag) => tag.trim()).filter((tag) => tag !== '')
