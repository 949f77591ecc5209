import { expect, test } from 'bun:test'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { useDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'
import { refusal } from '../specification/contract-rig.ts'

// What another site can make a browser send, with the cookie of its user.

const rig = useDashboardRig()
const ann = useUser(rig)

const NOT_OURS = refusal('cross_site_request', 'This request did not come from a page of this server.')

test.each([
  ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
  [
    'a neighbour under the same domain',
    { 'Sec-Fetch-Site': 'same-site', Origin: 'http://neighbour.localhost' },
  ],
  ['another site that claims our Origin', { 'Sec-Fetch-Site': 'cross-site' }],
  ['an old browser at another site', { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' }],
  ['an old browser in a sandbox', { 'Sec-Fetch-Site': undefined, Origin: 'null' }],
  ['a client that says nothing of it', { 'Sec-Fetch-Site': undefined, Origin: undefined }],
])('a request from %s changes nothing', async (_, headers) => {
  const name = (await ann.browser.succeed('GET', '/session')).name
  for (const [method, path, body] of [
    ['PUT', '/account', { name: 'Mallory' }],
    ['POST', '/links', { original_url: 'https://evil.example/' }],
    ['DELETE', '/sessions', undefined],
    ['POST', '/keys', { name: 'Key', scopes: ['links:read'] }],
    ['POST', '/session', { email: ann.email, password: PASSWORD }],
  ] as const) {
    const answer = await ann.browser.request(method, path, body, headers)
    expect([method, path, answer.status, answer.body]).toEqual([method, path, 403, NOT_OURS])
  }
  expect((await ann.browser.succeed('GET', '/session')).name).toBe(name)
  expect(await ann.browser.succeed('GET', '/keys')).toEqual([])
})

test.each([
  ['one of our pages', {}],
  ['the address bar', { 'Sec-Fetch-Site': 'none', Origin: undefined }],
  ['one of our pages in an old browser', { 'Sec-Fetch-Site': undefined }],
])('a request from %s may change the user’s own data', async (_, headers) => {
  expect((await ann.browser.request('PUT', '/account', { name: 'Ann' }, headers)).status).toBe(200)
})

test('another site cannot read anything either', async () => {
  for (const path of ['/session', '/links', '/export', '/live']) {
    const { status, body } = await ann.browser.request('GET', path, undefined, {
      'Sec-Fetch-Site': 'cross-site',
    })
    expect([path, status, body]).toEqual([path, 403, NOT_OURS])
  }
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a form is not accepted as JSON: %s is refused',
  async (type) => {
    const { status } = await ann.browser.request('PUT', '/account', '{"name":"Mallory"}', {
      'Content-Type': type,
    })
    expect(status).toBe(415)
  },
)
