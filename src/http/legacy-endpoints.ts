import { z } from '@hono/zod-openapi'
import type { DashboardEndpoint } from './dashboard-api/dashboard-endpoint.ts'
import type { EndpointRequest, Endpoint, Reply, Role } from './dispatch/endpoint.ts'

// Until every endpoint is defined in endpoints/.

type Anything = any

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
