/** What the health check reports. */
export type ServiceState = 'ok' | 'degraded' | 'stopping'
