import { z } from '@hono/zod-openapi'
import type { CallerEndpoint, Endpoint as ApiEndpoint } from './api/keyed-endpoint.ts'
import type { DashboardEndpoint } from './dashboard-api/dashboard-endpoint.ts'
import type { EndpointRequest, Endpoint, Reply, Role, Who } from './dispatch/endpoint.ts'

// Until every endpoint is defined in endpoints/.

type Anything = any

/** `who`: `both` for those that the dashboard shares. */
export function fromApi(old: ApiEndpoint | CallerEndpoint, who: Who): Endpoint {
  const { method, path, body, query, answer, answersOk, access, ...rest } = old as ApiEndpoint & Anything
  const shape = answer.schema instanceof z.ZodObject ? answer.schema.shape : {}
  return {
    ...rest,
    who,
    method: method.toUpperCase(),
    path: path.slice('/api'.length),
    ...(old.body && {
      input: { ...body, schema: () => body.schema, read: (sent: object) => sent },
    }),
    ...(query && { query: { schema: query, read: (sent: object) => sent } }),
    isRepeatable: rest.takesIdempotencyKey,
    find:
      old.access === 'public'
        ? undefined
        : ({ caller, key }: Anything) => (old as Anything).find?.(caller, key),
    answer: { ...answer, message: '', bare: answer.schema, data: shape.data, whenOk: answersOk },
    async run(request: Anything): Promise<Reply> {
      const reply = await (old.handle as Anything)(request)
      if (reply instanceof Response) return reply
      const { body: text, ...parts } = reply
      const object = typeof text === 'string' ? JSON.parse(text) : text
      return object.success === true ? { ...object, ...parts } : { body: object, ...parts }
    },
  }
}

export function fromDashboard(old: DashboardEndpoint): Endpoint {
  const isOpen = old.access === 'anybody'
  return {
    who: isOpen ? 'anybody' : 'session',
    ...(isOpen ? {} : { role: old.access as Role }),
    method: old.method as Endpoint['method'],
    path: old.path.slice('/dashboard/api'.length),
    input: { schema: () => z.object({}), read: (sent) => sent },
    query: { schema: z.object({}), read: (sent) => sent },
    answer: { message: '' },
    run: (request) => old.handle(request as EndpointRequest<'session'> & Anything) as Promise<Reply>,
  }
}
