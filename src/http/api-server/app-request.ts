import { scriptWithPrefix, withPrefix } from '../../html/with-prefix.ts'
import type { AppEnv } from '../dispatch/app-context.ts'
import type { ApiRequest } from './api-server.ts'

type App = { fetch(request: Request, bindings: AppEnv['Bindings']): Response | Promise<Response> }

/** What the app answers. HEAD is GET without its content, which the server leaves out. */
export async function answerOf(app: App, { request, ...rest }: ApiRequest): Promise<Response> {
  const { target, prefix, body, ip, peer } = rest
  // The body has been read, up to the limit.
  const { method, signal } = request
  const headers = new Headers(request.headers)
  // The paths in what is compressed could not be replaced. It is compressed afterwards.
  if (prefix !== '') headers.delete('accept-encoding')
  const isHead = method === 'HEAD'
  const parts = { method: isHead ? 'GET' : method, headers, signal }
  const bindings = { ip, peer, target, body, isHead }
  const response = await app.fetch(new Request(`http://api${target}`, parts), bindings)
  return prefix === '' ? response : behind(prefix, response)
}

/** The paths that a browser follows from it. */
async function behind(prefix: string, response: Response): Promise<Response> {
  const location = response.headers.get('location')
  if (location?.startsWith('/')) response.headers.set('Location', prefix + location)
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  if (type.startsWith('text/html'))
    return new Response(withPrefix(await response.text(), prefix), { status, headers })
  if (/^text\/(?:javascript|css)/.test(type))
    return new Response(scriptWithPrefix(await response.text(), prefix), { status, headers })
  return response
}
