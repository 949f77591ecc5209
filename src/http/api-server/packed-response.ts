import { compressResponse } from '../responses/compress-response.ts'
import type { ApiRequest } from './api-server.ts'

/** As the client takes it. */
export async function packedResponse(asked: ApiRequest, response: Response): Promise<Response> {
  const { status, headers } = response
  const body = await response.arrayBuffer()
  const packed = await compressResponse({ status, headers: [...headers], body }, acceptedEncodings(asked))
  return new Response(packed.body, packed)
}

/** What the dashboard answers to a change may be a secret that is shown only once: its length must not reveal anything. */
function acceptedEncodings({ request, target }: ApiRequest): string | undefined {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead && target.startsWith('/dashboard/')) return undefined
  return request.headers.get('accept-encoding') ?? undefined
}

/** Nothing of ours answers with less than 200 here. */
export const classOf = (status: number) => `${Math.floor(status / 100)}xx` as '2xx' | '3xx' | '4xx' | '5xx'
