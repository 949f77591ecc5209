import { expect } from 'bun:test'
import type { RefusalCode } from '../../src/errors/refusal-codes.ts'
import { defaultOpenApi } from '../../src/cli/commands/default-openapi.ts'
import type { Endpoint } from '../../src/http/dispatch/endpoint.ts'
import { ENDPOINTS as ALL_ENDPOINTS } from '../../src/http/endpoints/all-endpoints.ts'
import { answerSchema } from '../../src/http/openapi/openapi.ts'
import type { ServiceRig, TestAnswer, TestCaller } from '../rigs/service/service-rig.ts'

/** A valid destination, which tests of errors start from. */
export const DESTINATION = 'https://example.com/launch'
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
/** The browser of a human visitor. */
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** The endpoints of the document as it names them; their handlers are not called. */
export const ENDPOINTS = (ALL_ENDPOINTS as readonly Endpoint[])
  .filter(({ who }) => who !== 'session' && who !== 'anybody')
  .map((endpoint) => ({
    ...endpoint,
    method: endpoint.method.toLowerCase(),
    path: `/api${endpoint.path}`,
    isKeyed: endpoint.who !== 'public',
    answer: { status: endpoint.answer.status ?? 200, schema: answerSchema(endpoint) },
  }))
export type DocumentedEndpoint = (typeof ENDPOINTS)[number]

export const DOCUMENT = JSON.parse(defaultOpenApi())

/** A complete service. Its rig compares every response with the document. */
export {
  startServiceRig as startContractRig,
  useOwnServiceRig as useOwnContractRig,
  useServiceRig as useContractRig,
} from '../rigs/service/service-rig.ts'

/** The complete body of an error. */
export const refusal = (code: RefusalCode, message: string, errors: Record<string, string[]> = {}) => ({
  success: false,
  code,
  message,
  errors,
})

/** The complete body of a 422: its message is the first error, with the number of the others. */
export function invalid(errors: Record<string, string[]>) {
  const [first, ...others] = Object.values(errors).flat()
  const more = others.length === 0 ? '' : ` (and ${others.length} more error${others.length > 1 ? 's' : ''})`
  return refusal('validation_failed', first + more, errors)
}

export const LINK_NOT_FOUND = refusal('link_not_found', 'Link not found.')

/** The parts of an error response that tests compare. The codes of fields have a test of their own. */
export function statusAndBody({ status, body }: TestAnswer) {
  if (body === undefined) return { status, body }
  const { error_codes: _, ...compared } = body
  return { status, body: compared }
}

/** Creates a link, which must succeed, and returns its fields. */
export async function makeLink(
  rig: ServiceRig,
  { key }: Pick<TestCaller, 'key'>,
  fields: Record<string, unknown> = {},
) {
  const { status, body } = await rig.call('POST', '/api/links', {
    key,
    body: { original_url: DESTINATION, ...fields },
  })
  expect({ status, body }).toMatchObject({ status: 201, body: { success: true } })
  return body.data as { id: number; short_code: string; svc_id: string } & Record<string, any>
}

/** The number of the caller's links, from the list. */
export async function countLinks(rig: ServiceRig, { key }: Pick<TestCaller, 'key'>): Promise<number> {
  return (await rig.call('GET', '/api/links', { key })).body.meta.total
}

/** Opens a short URL as a browser does, or with other headers. */
export function open(
  rig: ServiceRig,
  code: string,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return rig.call('GET', `/${code}`, { headers: { 'User-Agent': FIREFOX, ...headers } })
}
