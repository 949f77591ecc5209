import type { LinkApi } from './link-types.ts'

/**
 * Every endpoint under /dashboard/api with its input and `data`. The server's handlers are checked against it, and the dashboard
 * imports these types and nothing else of the server. Responses have the API's envelope: `{ success, message, data?, meta? }`,
 * refusals `{ success, message, errors }`.
 */
export type DashboardApi = LinkApi
