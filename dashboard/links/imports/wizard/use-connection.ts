import { useLocation } from 'wouter'
import type { useFields } from '../../../components/fields/form.tsx'
import type { ImportSource, Leavable } from './import-sources.ts'
import {
  checkJob,
  createJob,
  deleteJob,
  editJob,
  type NewJob,
  useJobChange,
  useJobDeletion,
} from '../job-queries.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import type { Upload } from './upload.ts'

export const FIRST_FIELDS = {
  url: '',
  key: '',
  list: '',
  createdFrom: '',
  createdTo: '',
  domain: '',
  folder: '',
  timeZone: '',
  clicks: '',
}
type ConnectFields = typeof FIRST_FIELDS
export type ConnectForm = ReturnType<typeof useFields<ConnectFields>>

type ConnectionDeps = { source: ImportSource; job: ImportJobView | undefined; upload: Upload }

/** What the step does with a key or files. The job is made with the first of them. */
export function useConnection(
  { source, job, upload }: ConnectionDeps,
  { without, ...fields }: ConnectFields & { without: Leavable[] },
) {
  const [, navigate] = useLocation()
  const { url, key, list, domain, folder, timeZone, clicks } = fields
  /** Options of a job, from an API or files. */
  const choices = { folder, created_from: fields.createdFrom, created_to: fields.createdTo }
  const create = useJobChange(createJob)
  const edit = useJobChange(() => editJob(job!.id, {}))
  const next = useJobChange(
    async () => {
      if (job === undefined)
        return checkNew({
          source: source.name,
          key: key.trim(),
          without,
          ...given({ ...choices, url, list, domain, clicks }),
        })
      const { folder: _, created_from: _from, created_to: _to, ...others } = job.options
      const options = { ...others, without, ...given({ ...choices, time_zone: timeZone }) }
      const edited = await editJob(job.id, { domain: domain || null, options })
      return source.isTable ? edited : checkJob(job.id)
    },
    { onSuccess: ({ data: { id } }) => navigate(`/imports/${id}${source.isTable ? '?step=columns' : ''}`) },
  )
  const deletion = useJobDeletion({
    onSuccess: () => navigate(`/imports/new?source=${source.name}`, { replace: true }),
  })
  /** The one that files are added to: only a draft takes them. */
  const draft = async (): Promise<number> => {
    if (job !== undefined) {
      if (job.state !== 'draft') await edit.mutateAsync()
      return job.id
    }
    const { data } = await create.mutateAsync({
      source: source.name,
      without,
      ...given({ ...choices, domain }),
    })
    navigate(`/imports/${data.id}`, { replace: true })
    return data.id
  }
  return {
    next,
    takeFiles: (files: File[]) => {
      if (files.length > 0) upload.add(files, job?.files ?? [], draft)
    },
    removeFiles: () => job && deletion.mutate(job.id),
  }
}

/** Leaves no job behind that cannot be checked. */
async function checkNew(input: NewJob) {
  const { data: made } = await createJob(input)
  try {
    return await checkJob(made.id)
  } catch (error) {
    await deleteJob(made.id).catch(() => {})
    throw error
  }
}

/** Without what is empty. */
const given = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )
