import { brokenEnvelope, isDocumented, undocumentedParts } from './documented-answer.ts'

/** Like `fetch`, without following redirects. Every suite thereby tests that the document and the answers agree. */
export async function documentedFetch(url: string, init: BunFetchRequestInit = {}): Promise<Response> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const { pathname, search } = new URL(url)
  const { method = 'GET' } = init
  const errors = await errorsOf({ method, path: pathname + search }, response)
  if (errors.length > 0)
    throw new Error(`${method} ${pathname + search} ${response.status}:\n${errors.join('\n')}`)
  return response
}

async function errorsOf(request: { method: string; path: string }, response: Response): Promise<string[]> {
  const isDashboard = request.path.startsWith('/dashboard/api/')
  if (!isDashboard && !isDocumented(request.path)) return []
  const { status, headers } = response
  const text = await response.clone().text()
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== ''
  const received = { status, headers, body: isJson ? JSON.parse(text) : text }
  return isDashboard ? brokenEnvelope(received) : undocumentedParts({ ...received, ...request })
}
