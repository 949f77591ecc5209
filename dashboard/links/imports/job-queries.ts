import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '../../api/api-client.ts'
import { type ChangeOptions, useChange } from '../../api/use-change.ts'
import type {
  ImportJobItemView,
  ImportJobView,
  SourceListView,
} from '../../../src/http/endpoints/browser-types.ts'

export const JOBS = ['import-jobs']
const jobKey = (id: number) => [...JOBS, id]
/** While the server works on a job. */
const REFRESH_MS = 1_000
const ITEMS_PER_PAGE = 10
const JOBS_PER_PAGE = 10

const isWorking = ({ state }: ImportJobView): boolean => state === 'checking' || state === 'importing'

export const useImportJob = (id: number, options: { refetchOnMount?: 'always' } = {}) =>
  useQuery({
    ...options,
    queryKey: jobKey(id),
    queryFn: async ({ signal }) => (await ask('GET /import-jobs/{id}', { path: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isWorking(data) ? REFRESH_MS : false),
  })

/** Those that are not done, the latest first. */
export const useOpenJobs = () =>
  useQuery({
    queryKey: [...JOBS, 'open'],
    queryFn: ({ signal }) => ask('GET /import-jobs', { query: { per_page: JOBS_PER_PAGE }, signal }),
    select: ({ data }) => data.filter(({ state }) => state !== 'done'),
  })

/** A change of a job, which answers with the job as it is then. */
export function useJobChange<Input = void>(
  change: (input: Input) => Promise<{ data: ImportJobView }>,
  options: Pick<ChangeOptions<{ data: ImportJobView }, Input>, 'onSuccess' | 'onError' | 'said'> = {},
) {
  const client = useQueryClient()
  const { onSuccess } = options
  return useChange(change, {
    ...options,
    onSuccess: async (answer, ...rest) => {
      const { data: job } = answer
      await client.cancelQueries({ queryKey: jobKey(job.id) })
      client.setQueryData(jobKey(job.id), job)
      void client.invalidateQueries({ queryKey: [...JOBS, 'open'] })
      void client.invalidateQueries({ queryKey: [...jobKey(job.id), 'of'] })
      await onSuccess?.(answer, ...rest)
    },
  })
}

export type JobOptions = ImportJobView['options']
export type NewJob = { source: string; url?: string; key?: string; domain?: string; folder?: string } & Pick<
  JobOptions,
  'without' | 'clicks' | 'list' | 'created_from' | 'created_to'
>

/** The lists of an account, each with links of its own. */
export const useSourceLists = (source: string, key: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['import-lists', source, key],
    queryFn: async ({ signal }): Promise<SourceListView[]> =>
      (await ask('POST /import-lists', { input: { source, key }, signal })).data,
    enabled: isEnabled,
    // The key is forgotten with the page.
    gcTime: 0,
    retry: false,
  })

export const createJob = (input: NewJob) => ask('POST /import-jobs', { input })
export const deleteJob = (id: number) => ask('DELETE /import-jobs/{id}', { path: { id } })
export const checkJob = (id: number) => ask('POST /import-jobs/{id}/check', { path: { id } })
export const startJob = (id: number) => ask('POST /import-jobs/{id}/start', { path: { id } })
export const stopJob = (id: number) => ask('POST /import-jobs/{id}/stop', { path: { id } })
export const editJob = (id: number, input: { domain?: string | null; options?: JobOptions }) =>
  ask('PUT /import-jobs/{id}', { path: { id }, input })

export type Choices = {
  on_conflict?: ImportJobView['choices']['on_conflict']
  conflict_domain?: string | undefined
  items?: { number: number; choice: ImportJobItemView['choice']; new_domain?: string | undefined }[]
}
export const chooseFor = (id: number, input: Choices) =>
  ask('PUT /import-jobs/{id}/choices', { path: { id }, input })

/** Removes a job with its files. */
export const useJobDeletion = (
  options: Pick<ChangeOptions<unknown, number>, 'onSuccess' | 'said' | 'onError'> = {},
) => useChange((id: number) => deleteJob(id), { ...options, rereads: [[...JOBS, 'open']] })

/** How the columns of a table are read. */
export const useJobColumns = (id: number) =>
  useQuery({
    queryKey: [...jobKey(id), 'of', 'columns'],
    queryFn: async ({ signal }) =>
      (await ask('GET /import-jobs/{id}/columns', { path: { id }, signal })).data,
    placeholderData: keepPreviousData,
  })

export type ItemResult = ImportJobItemView['result']

export const useJobItems = (id: number, result: ItemResult, page: number) =>
  useQuery({
    queryKey: [...jobKey(id), 'of', 'items', result, page],
    queryFn: ({ signal }) => {
      const query = { result, page, per_page: ITEMS_PER_PAGE }
      return ask('GET /import-jobs/{id}/items', { path: { id }, query, signal })
    },
    placeholderData: keepPreviousData,
  })
