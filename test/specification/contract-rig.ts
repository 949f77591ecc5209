import { expect } from 'bun:test'
import { defaultOpenApi } from '../../src/cli/default-openapi.ts'
import { readConfig } from '../../src/config.ts'
import { errorSchema } from '../../src/http/api/schemas.ts'
import { endpointsOf } from '../../src/http/app.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { matcherOf } from '../../src/http/paths.ts'
import { Blocks } from '../../src/links/blocks.ts'
import type { Store } from '../../src/store/open-store.ts'
import { type ServiceRig, startServiceRig, type TestAnswer, type TestCaller } from '../rigs/service-rig.ts'

/** A destination that may be stored; what a refusal test starts from. */
export const DESTINATION = 'https://example.com/launch'
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
/** A person's browser. */
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** For links that are made past the service. */
export const UNHEARD = {
  changes: { changed() {} },
  codeLog: { async ready() {}, note() {}, async keep() {} },
}

/** The endpoints for what they say of themselves; their handlers are not called. */
export const ENDPOINTS: readonly Endpoint[] = endpointsOf({
  config: readConfig({}),
  store: {} as Store,
  clock: { nowUs: () => 0, monotonicMs: () => 0 },
  blocks: new Blocks(),
  ...UNHEARD,
  serviceState: () => 'ok',
})

export const DOCUMENT = JSON.parse(defaultOpenApi())

/** A whole service, of which every answer is held against the document as it comes in. */
export async function startContractRig(settings: Record<string, string> = {}): Promise<ServiceRig> {
  const rig = await startServiceRig(settings)
  return {
    ...rig,
    async call(method, path, options) {
      const answer = await rig.call(method, path, options)
      if (path.startsWith('/api/') && path !== '/api/openapi.json' && method !== 'HEAD') {
        expectDocumented(method, path, answer)
      }
      return answer
    },
  }
}

/** What the document says of headers; the others are those of every HTTP server. */
const DESCRIBED_HEADERS = /^(?:x-request-id|x-ratelimit-.*|retry-after|idempotent-replayed)$/

function expectDocumented(method: string, path: string, { status, body, headers }: TestAnswer): void {
  const [pathname = ''] = path.split('?')
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  const endpoint = ENDPOINTS.find(
    (one) => one.method === method.toLowerCase() && matcherOf(one.path).test(pathname),
  )
  const isSuccess = status === endpoint?.answer.status
  const { error } = (isSuccess ? endpoint.answer.schema : errorSchema).safeParse(body)
  expect(
    error?.issues ?? [],
    `${method} ${path} answered ${status} in a shape that is not documented`,
  ).toEqual([])
  if (endpoint === undefined) return
  const { responses } = DOCUMENT.paths[endpoint.path][endpoint.method]
  expect(Object.keys(responses), `${method} ${path} answered with a status that is not documented`).toContain(
    String(status),
  )
  const documented = Object.entries<{ $ref: string }>(responses[status].headers)
  const required = documented.filter(
    ([, { $ref }]) => DOCUMENT.components.headers[$ref.split('/').at(-1)!].required,
  )
  const sent = [...headers.keys()].filter((name) => DESCRIBED_HEADERS.test(name))
  const lower = (names: typeof documented) => names.map(([name]) => name.toLowerCase())
  expect(lower(documented), `${method} ${path} ${status}: documented headers`).toEqual(
    expect.arrayContaining(sent),
  )
  expect(sent, `${method} ${path} ${status}: headers`).toEqual(expect.arrayContaining(lower(required)))
}

/** The whole body of a refusal. */
export const refusal = (message: string, errors: Record<string, string[]> = {}) => ({
  success: false,
  message,
  errors,
})

/** The whole body of a 422: its message is the first sentence, with the number of the others. */
export function invalid(errors: Record<string, string[]>) {
  const [first, ...others] = Object.values(errors).flat()
  const more = others.length === 0 ? '' : ` (and ${others.length} more error${others.length > 1 ? 's' : ''})`
  return refusal(first + more, errors)
}

export const LINK_NOT_FOUND = refusal('Link not found.')

/** What a refusal comes down to. */
export const statusAndBody = ({ status, body }: TestAnswer) => ({ status, body })

/** The fields of a new link, which must come to be. */
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

/** How many links the caller has, by the list. */
export async function countLinks(rig: ServiceRig, { key }: Pick<TestCaller, 'key'>): Promise<number> {
  return (await rig.call('GET', '/api/links', { key })).body.meta.total
}

/** Opens a short address as a person's browser does, or otherwise. */
export function open(
  rig: ServiceRig,
  code: string,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return rig.call('GET', `/${code}`, { headers: { 'User-Agent': FIREFOX, ...headers } })
}
