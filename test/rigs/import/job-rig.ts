import { expect } from 'bun:test'
import type { ImportJobView } from '../../../src/http/endpoints/import-job-view.ts'
import type { ServiceRig, TestCaller } from '../service/service-rig.ts'

type Asked = Pick<TestCaller, 'key'>
export type UploadedPart = {
  name: string
  offset: number
  size?: number
  text: string | Uint8Array<ArrayBuffer>
}

/** Imports that the server runs, by its API. */
export function useJobRig(rig: Pick<ServiceRig, 'call'>, caller: Asked) {
  const PATH = '/api/import-jobs'

  /** The body of the answer, without the codes of its fields, which have a test of their own. */
  async function ask(method: string, path: string, body?: unknown, by: Asked = caller): Promise<any> {
    const answer = await rig.call(method, PATH + path, { key: by.key, body })
    const { error_codes: _, ...rest } = answer.body
    return rest
  }

  async function succeed(method: string, path: string, body?: unknown, by: Asked = caller): Promise<any> {
    const answer = await ask(method, path, body, by)
    expect(answer).toMatchObject({ success: true })
    return answer.data
  }

  return {
    ask,
    succeed,
    begin: (body: object, by: Asked = caller): Promise<ImportJobView> => succeed('POST', '', body, by),
    read: (id: number): Promise<ImportJobView> => succeed('GET', `/${id}`),
    list: (): Promise<ImportJobView[]> => succeed('GET', '?per_page=100'),
    change: (id: number, body: object): Promise<ImportJobView> => succeed('PUT', `/${id}`, body),

    async upload(id: number, { name, offset, size, text }: UploadedPart): Promise<any> {
      const query = new URLSearchParams({ name, offset: String(offset), ...(size && { size: String(size) }) })
      const headers = { 'Content-Type': 'application/octet-stream' }
      const answer = await rig.call('POST', `${PATH}/${id}/files?${query}`, {
        key: caller.key,
        body: text,
        headers,
      })
      const { error_codes: _, ...rest } = answer.body
      return rest
    },
  }
}
