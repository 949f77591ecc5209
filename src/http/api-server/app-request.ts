import type { AppEnv } from '../dispatch/app-context.ts'
import type { ApiRequest } from './api-server.ts'

/** A request as the app handles it. HEAD is GET without its content, which the server leaves out. */
export function appRequest({ request, target, body, ip, peer }: ApiRequest): {
  request: Request
  bindings: AppEnv['Bindings']
} {
  // The body has been read, up to the limit.
  const { method, headers, signal } = request
  const isHead = method === 'HEAD'
  const parts = { method: isHead ? 'GET' : method, headers, signal }
  return { request: new Request(`http://api${target}`, parts), bindings: { ip, peer, target, body, isHead } }
}
