import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { type ServiceRig, startServiceRig } from '../rigs/service/service-rig.ts'
import { waitsDuring } from './health-probe.ts'

// Whatever is behind the code of a link that passes on path and query, the redirect thread goes on serving others.

let rig: ServiceRig

beforeAll(startWithLink)
afterAll(() => rig.stop())

const BYTES = 7_500
const filled = (unit: string) => unit.repeat(BYTES / unit.length)

test.each([
  ['slashes', `/${filled('/')}`],
  ['almost dot segments', filled('/...')],
  ['encoded dot segments', filled('/%2e%2e')],
  ['encoded slashes and dots', filled('%2f%2e')],
  ['backslashes', `/${filled('\\')}`],
  ['characters that are encoded', `/${filled('"')}`],
  ['what is forgiven behind a code', `/${filled('.')}`],
  ['broken escapes', `/${filled('%')}`],
  ['segments', filled('/a')],
  ['what may be the longest code', `/${filled('%CC%88').slice(0, 2_160)}`],
  ['what is nearly forgiven', `/${filled('.x').slice(0, 200)}`],
  ['pairs', `/page?${filled('a&')}`],
  ['pairs that replace others', `/page?${filled('p7&')}`],
  ['pairs whose names are encoded', `/page?${filled('%61+=&')}`],
  ['pairs whose names are broken', `/page?${filled('%zz&')}`],
  ['pairs whose names are not UTF-8', `/page?${filled('%ff&')}`],
])('forty paths or queries of %s hold up nobody', async (_, expensive) => {
  const plain = expensive.includes('?') ? `/page?${'a'.repeat(BYTES)}` : `/${'a'.repeat(BYTES)}`
  const waits = await waitsDuring(
    rig.url,
    () => openOften(expensive),
    () => openOften(plain),
  )
  expect(waits).toBeUndefined()
})

const [CONNECTIONS, ON_EACH] = [4, 10]

/** HEAD counts no click. */
async function openOften(path: string): Promise<void> {
  const request = rawRequest('HEAD', `/passes-on${path}`).repeat(ON_EACH)
  const sent = Array.from({ length: CONNECTIONS }, () => sendRaw(rig.url, request, { answers: ON_EACH }))
  for (const { status, answers } of await Promise.all(sent))
    expect([[200, 302, 404, 429].includes(status), answers]).toEqual([true, ON_EACH])
}

async function startWithLink(): Promise<void> {
  rig = await startServiceRig()
  const { key } = await rig.makeCaller()
  const own = Array.from({ length: 500 }, (_, at) => `p${at}=${at}`).join('&')
  const body = {
    original_url: `https://example.com/?${own}`,
    custom_code: 'passes-on',
    forward_path: true,
    forward_query: 'replace',
  }
  expect((await rig.call('POST', '/api/links', { key, body })).status).toBe(201)
}
