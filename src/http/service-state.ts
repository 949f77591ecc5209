/** How the service is, as its health check tells it. */
export type ServiceState = 'ok' | 'degraded' | 'stopping'
