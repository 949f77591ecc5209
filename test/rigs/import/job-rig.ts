import { expect } from 'bun:test'
import type { ImportJobItemView } from '../../../src/http/endpoints/import-job-run-endpoints.ts'
import type { ImportJobView } from '../../../src/http/endpoints/import-job-view.ts'
import { eventually } from '../eventually.ts'
import type { ServiceRig, TestCaller } from '../service/service-rig.ts'

/** Of a job before anything is chosen. */
export const NO_CHOICES: ImportJobView['choices'] = {
  on_conflict: 'skip',
  conflict_domain: null,
  skip: 0,
  keep: 0,
  replace: 0,
  move: 0,
  moved_refused: 0,
  rename: 0,
}

type KeyOfCaller = Pick<TestCaller, 'key'>
export type UploadedPart = {
  name: string
  offset: number
  size?: number
  text: string | Uint8Array<ArrayBuffer>
}

/** Imports that the server runs, by its API. */
export function useJobRig(rig: Pick<ServiceRig, 'call'>, caller: KeyOfCaller) {
  const PATH = '/api/import-jobs'

  /** The body of the answer, without the codes of its fields, which have a test of their own. */
  async function ask(method: string, path: string, body?: unknown, by: KeyOfCaller = caller): Promise<any> {
    const answer = await rig.call(method, PATH + path, { key: by.key, body })
    const { error_codes: _, ...rest } = answer.body
    return rest
  }

  async function succeed(
    method: string,
    path: string,
    body?: unknown,
    by: KeyOfCaller = caller,
  ): Promise<any> {
    const answer = await ask(method, path, body, by)
    expect(answer).toMatchObject({ success: true })
    return answer.data
  }

  async function upload(
    id: number,
    { name, offset, size, text }: UploadedPart,
    by: KeyOfCaller = caller,
  ): Promise<any> {
    const query = new URLSearchParams({ name, offset: String(offset), ...(size && { size: String(size) }) })
    const { body } = await rig.call('POST', `${PATH}/${id}/files?${query}`, {
      key: by.key,
      body: text,
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    const { error_codes: _, ...rest } = body
    return rest
  }

  const begin = (body: object, by: KeyOfCaller = caller): Promise<ImportJobView> =>
    succeed('POST', '', body, by)
  const read = (id: number): Promise<ImportJobView> => succeed('GET', `/${id}`)

  /** As it is once it runs no more. */
  const settled = (id: number): Promise<ImportJobView> =>
    eventually(
      () => read(id),
      ({ state }) => state !== 'checking' && state !== 'importing',
    )

  return {
    ask,
    succeed,
    begin,
    read,
    upload,
    settled,
    list: (): Promise<ImportJobView[]> => succeed('GET', '?per_page=100'),
    change: (id: number, body: object): Promise<ImportJobView> => succeed('PUT', `/${id}`, body),
    choose: (id: number, body: object): Promise<ImportJobView> => succeed('PUT', `/${id}/choices`, body),

    /** A job with one file, which is checked. */
    async checked(body: object, text: UploadedPart['text']): Promise<ImportJobView> {
      const { id } = await begin(body)
      expect(await upload(id, { name: 'links', offset: 0, text })).toMatchObject({ success: true })
      expect(await succeed('POST', `/${id}/check`)).toMatchObject({ state: 'checking', counts: null })
      return settled(id)
    },

    async imported(id: number): Promise<ImportJobView> {
      await succeed('POST', `/${id}/start`)
      return settled(id)
    },

    items: (id: number, query = ''): Promise<ImportJobItemView[]> =>
      succeed('GET', `/${id}/items?per_page=100&${query}`),
  }
}
