import { beforeAll, describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  countLinks,
  DESTINATION,
  invalid,
  LINK_NOT_FOUND,
  makeLink,
  refusal,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const rig = useContractRig()
const caller = useCaller(rig)
let code: string

beforeAll(makeCode)

test('a body of invalid UTF-8 is malformed', async () => {
  const response = await documentedFetch(`${rig.url}/api/links`, {
    method: 'POST',
    headers: { 'X-API-Key': caller.key, 'Content-Type': 'application/json' },
    body: Buffer.from(`{"original_url":"${DESTINATION}","title":"\xff"}`, 'latin1'),
  })
  expect([response.status, await response.json()]).toEqual([400, BROKEN])
})

test('a body of exactly 1 MiB is read', async () => {
  const around = JSON.stringify({ original_url: DESTINATION, filler: '' }).length
  const body = JSON.stringify({ original_url: DESTINATION, filler: 'a'.repeat(2 ** 20 - around) })
  expect(body).toHaveLength(2 ** 20)
  expect((await send('POST', '/api/links', body)).status).toBe(201)
  expect((await send('POST', '/api/links', `${body} `)).status).toBe(413)
})

const NOT_JSON = refusal('body_not_json', 'The body must be JSON. Send Content-Type: application/json.')
const EMPTY = refusal('body_malformed', 'The body is empty. Send a JSON object.')
const NO_OBJECT = refusal('body_malformed', 'The body must be a JSON object.')
const BROKEN = refusal('body_malformed', 'The body is not valid JSON in UTF-8.')
const TOO_LARGE = refusal('body_too_large', 'The body must not be larger than 1048576 bytes.')

const WRITES = [
  ['POST', '/api/links'],
  ['POST', '/api/bulk-shorten'],
  ['PUT', '/api/links/CODE'],
] as const

describe.each(WRITES)('the body of %s %s', (method, path) => {
  test.each<[what: string, status: number, body: object, sent: unknown, headers: Record<string, string>]>([
    ['is empty', 400, EMPTY, '', {}],
    ['is missing', 400, EMPTY, undefined, {}],
    ['is broken JSON', 400, BROKEN, '{"original_url":', {}],
    ['is blank', 400, BROKEN, ' ', {}],
    ['is an array', 400, NO_OBJECT, [{ original_url: DESTINATION }], {}],
    ['is a string', 400, NO_OBJECT, `"${DESTINATION}"`, {}],
    ['is null', 400, NO_OBJECT, 'null', {}],
    [
      'is a form',
      415,
      NOT_JSON,
      `original_url=${DESTINATION}`,
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    ],
    ['is text', 415, NOT_JSON, '{}', { 'Content-Type': 'text/plain' }],
    ['is over 1 MiB', 413, TOO_LARGE, `{"title":"${'a'.repeat(2 ** 20)}"}`, {}],
  ])('is refused and nothing changes when it %s', async (_what, status, body, sent, headers) => {
    const before = await countLinks(rig, caller)
    const link = await send('GET', '/api/links/CODE')
    expect(statusAndBody(await send(method, path, sent, headers))).toEqual({ status, body })
    expect(await countLinks(rig, caller)).toBe(before)
    expect((await send('GET', '/api/links/CODE')).body).toEqual(link.body)
  })

  test('may name a charset, and its type in any case', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json ;charset=UTF-8',
    ]) {
      const answer = await send(method, path, { title: 7 }, { 'Content-Type': type })
      expect(answer.status).toBe(422)
    }
  })
})

describe('a path', () => {
  const BAD_PATHS = ['/api/links/%ff', '/api/links/%E0%A4', '/api/links?search=%zz', '/api/nothing/%']
  test.each(BAD_PATHS)('that is not percent-encoded correctly is malformed: %s', async (path) => {
    expect(statusAndBody(await send('GET', path))).toEqual({ status: 400, body: BAD_ENCODING })
  })

  test.each([
    '/api/nothing',
    '/api/',
    '/api/v1/links',
    '/api/links/',
    '/api/links/CODE/toggle/x',
    '/api/LINKS',
  ])('that does not exist is 404 in the envelope: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(statusAndBody(await send(method, path))).toEqual({ status: 404, body: NO_ENDPOINT })
  })

  test.each<[method: string, path: string, allow: string]>([
    ['DELETE', '/api/links', 'POST, GET, HEAD'],
    ['PATCH', '/api/links/CODE', 'GET, PUT, DELETE, HEAD'],
    ['POST', '/api/links/CODE', 'GET, PUT, DELETE, HEAD'],
    ['GET', '/api/links/CODE/toggle', 'POST'],
    ['GET', '/api/bulk-shorten', 'POST'],
    ['POST', '/api/analytics/overview', 'GET, HEAD'],
    ['POST', '/api/analytics/links/CODE', 'GET, HEAD'],
    ['PUT', '/api/account', 'GET, HEAD'],
    ['POST', '/api/health', 'GET, HEAD'],
    ['DELETE', '/api/info/CODE', 'GET, HEAD'],
  ])('has a list of methods: %s %s is 405 with Allow: %s', async (method, path, allow) => {
    const answer = await send(method, path)
    expect(statusAndBody(answer)).toEqual({ status: 405, body: WRONG_METHOD })
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test('requested with HEAD has the headers of GET and no content', async () => {
    for (const path of ['/api/links', `/api/links/${code}`, '/api/account', '/api/health']) {
      const headers = { 'X-API-Key': caller.key }
      const [head, get] = [
        await documentedFetch(rig.url + path, { method: 'HEAD', headers }),
        await send('GET', path),
      ]
      expect([head.status, await head.text()]).toEqual([200, ''])
      for (const name of ['content-type', 'cache-control', 'x-ratelimit-limit'])
        expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })
})

describe('of two errors the first is reported', () => {
  const unverified = once(() => rig.makeCaller({ isVerified: false }))
  const reader = once(() => rig.makeCaller({ scopes: ['links:read'] }))
  const limited = once(async () => {
    const made = await rig.makeCaller({ scopes: ['links:read'], rateLimit: 1 })
    await rig.call('GET', '/api/links', made)
    return made
  })
  const anybody = async () => caller
  const nobody = async () => ({ key: 'bad' })
  const FORM = { 'Content-Type': 'text/plain' }

  test.each<
    [
      what: string,
      status: number,
      who: () => Promise<{ key: string }>,
      request: [method: string, path: string, body?: unknown, headers?: Record<string, string>],
    ]
  >([
    ['a bad key before a path that is not there', 401, nobody, ['GET', '/api/nothing']],
    ['a bad key before a wrong method', 401, nobody, ['DELETE', '/api/links']],
    ['a bad key before a bad encoding', 401, nobody, ['GET', '/api/links/%ff']],
    ['a bad key before a body too large', 401, nobody, ['POST', '/api/links', 'x'.repeat(2 ** 20 + 1)]],
    ['a bad key before a link that is not there', 401, nobody, ['GET', '/api/links/never-made']],
    ['an unverified address before a path that is not there', 403, unverified, ['GET', '/api/nothing']],
    ['an unverified address before broken JSON', 403, unverified, ['POST', '/api/links', '{']],
    ['the limit before a missing scope', 429, limited, ['GET', '/api/analytics/overview']],
    ['the limit before a path that is not there', 429, limited, ['GET', '/api/nothing']],
    ['the limit before broken JSON', 429, limited, ['POST', '/api/links', '{']],
    ['a missing scope before broken JSON', 403, reader, ['POST', '/api/links', '{']],
    ['a missing scope before a bad encoding', 403, reader, ['DELETE', '/api/links/%ff']],
    ['a missing scope before a link that is not there', 403, reader, ['DELETE', '/api/links/never-made']],
    ['a missing scope before bad values', 403, reader, ['POST', '/api/links', {}]],
    ['a wrong method before broken JSON', 405, anybody, ['PATCH', '/api/links', '{']],
    ['broken JSON before a link that is not there', 400, anybody, ['PUT', '/api/links/never-made', '{']],
    [
      'a body that is no JSON before a link that is not there',
      415,
      anybody,
      ['PUT', '/api/links/never-made', '{}', FORM],
    ],
    [
      'a link that is not there before bad values',
      404,
      anybody,
      ['PUT', '/api/links/never-made', { title: 7 }],
    ],
    [
      'a link that is not there before a bad range',
      404,
      anybody,
      ['GET', '/api/analytics/links/never-made?period=x'],
    ],
    [
      'a code that is not there before a bad range',
      404,
      anybody,
      ['GET', '/api/analytics/clicks?short_code=never-made&period=x'],
    ],
  ])('%s', async (_what, status, who, [method, path, body, headers]) => {
    const { key } = await who()
    const answer = await rig.call(method, path, { key, body, headers: headers ?? {} })
    expect(answer.status).toBe(status)
    if (status === 404) expect(answer.body).toEqual(LINK_NOT_FOUND)
  })

  test('and after all of them the values are validated', async () => {
    const answer = await send('PUT', '/api/links/CODE', { title: 7 })
    expect(statusAndBody(answer)).toEqual({
      status: 422,
      body: invalid({ title: ['The title must be a string.'] }),
    })
  })
})

const BAD_ENCODING = refusal('url_malformed', 'The URL is not percent-encoded correctly.')
const NO_ENDPOINT = refusal('endpoint_not_found', 'Endpoint not found.')
const WRONG_METHOD = refusal('method_not_allowed', 'This method is not supported here.')

async function makeCode(): Promise<void> {
  code = (await makeLink(rig, caller)).short_code
}

/** The value of the first call, ever after: accounts take long to make. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  rig.call(method, path.replace('CODE', code), { key: caller.key, body, headers })
