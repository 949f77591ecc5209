import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { startDashboardRig, type TestUser, useUser } from '../rigs/service/dashboard-rig.ts'
import { settingsWithDomain } from '../rigs/service/shared-domain.ts'
import { useRig, useSharedFolders } from '../rigs/use-rig.ts'
import { FIREFOX, GOOGLEBOT, invalid } from '../specification/contract-rig.ts'

const HOST = 'go.example'
const folders = useSharedFolders()
const rig = useRig(async () => startDashboardRig(await settingsWithDomain(folders.make(), HOST)))
const owner = useUser(rig)
const stranger = useUser(rig)

describe('a browser that is excluded', () => {
  test('is led on as always, and counts neither as a click nor as a bot', async () => {
    const cookie = await excludedBrowser(owner)
    const link = await makeLink(owner)
    for (const agent of [FIREFOX, GOOGLEBOT])
      expect(await visit(link, { Cookie: `a=b; ${cookie}`, 'User-Agent': agent })).toBe(302)
    await expectCounts(link, { clicks: 1, bots: 0 })
  })

  test('spends nothing of a limit, and is turned away with all others once it is used up', async () => {
    const cookie = await excludedBrowser(owner)
    const link = await makeLink(owner, { max_clicks: 1 })
    for (let again = 0; again < 3; again++) expect(await visit(link, { Cookie: cookie })).toBe(302)
    expect(await visit(link, { Cookie: cookie, 'User-Agent': GOOGLEBOT })).toBe(200)
    expect(await visit(link)).toBe(302)
    for (const headers of [{}, { Cookie: cookie }]) expect(await visit(link, headers)).toBe(410)
  })

  test('counts for other workspaces, and for its own without the right signature', async () => {
    const cookie = await excludedBrowser(stranger)
    const link = await makeLink(owner)
    const [, value = ''] = cookie.split('=')
    const forged = [
      cookie,
      cookie.replace(`=${stranger.workspaceId}.`, `=${owner.workspaceId}.`),
      'tern_uncounted=1',
      `tern_uncounted=${owner.workspaceId}.${'A'.repeat(43)}`,
      `not_tern_uncounted=${value}`,
    ]
    await excludedBrowser(owner)
    for (const each of forged) expect(await visit(link, { Cookie: each })).toBe(302)
    await expectCounts(link, { clicks: forged.length + 1, bots: 0 })
  })

  test('may be excluded from several workspaces, and counts again everywhere after one click', async () => {
    const first = await excludedBrowser(owner)
    const both = await excludedBrowser(stranger, { Cookie: first })
    for (const user of [owner, stranger]) {
      const link = await makeLink(user)
      expect(await visit(link, { Cookie: both })).toBe(302)
      await expectCounts(link, { clicks: 1, bots: 0 })
    }
    const again = await rig.call('POST', '/own-traffic', { headers: { Origin: rig.config.baseUrl } })
    expect([again.status, again.headers.get('set-cookie')]).toEqual([
      200,
      'tern_uncounted=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ])
  })
})

describe('the link that excludes a browser', () => {
  test('sets a cookie that no script can read, once', async () => {
    const path = await exclusionPath(owner)
    // Programs send HEAD to look whether a link works, which must not use it up.
    for (const method of ['POST', 'HEAD'])
      expect([method, (await fetch(rig.url + path, { method })).status]).toEqual([method, 405])
    const { status, headers } = await rig.call('GET', path)
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toMatch(
      /^tern_uncounted=\d+\.[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    )
    expect(headers.get('cache-control')).toContain('no-store')
    await expectRefused(path)
  })

  test('works on its own domain only, and for its own workspace', async () => {
    const path = await exclusionPath(owner, HOST)
    await expectRefused(path)
    await expectRefused(path.replace(/\/\d+\./, `/${stranger.workspaceId}.`), { Host: HOST })
    const excluded = await rig.call('GET', path, { headers: { Host: HOST } })
    expect([excluded.status, excluded.headers.has('set-cookie')]).toEqual([200, true])
    await expectRefused('/own-traffic/1.a', { Host: HOST })
  })

  test('expires after five minutes', async () => {
    const path = await exclusionPath(owner)
    const tokens = rig.store.db.updateTable('single_use_tokens').where('purpose', '=', 'exclude-browser')
    await tokens.set((eb) => ({ expires_at: eb('expires_at', '-', 300_000_000) })).execute()
    await expectRefused(path)
  })

  test('is made for domains of the workspace, by its members', async () => {
    const { status, body } = await owner.browser.request('POST', '/own-traffic/link', {
      domain: 'other.example',
    })
    const errors = { domain: ['The domain must be one of your workspace.'] }
    expect({ status, body }).toEqual({ status: 422, body: invalid(errors) })
    expect((await rig.browser().request('POST', '/own-traffic/link', { domain: HOST })).status).toBe(401)
  })

  test('cannot be undone by a page of somebody else', async () => {
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const refused = await rig.call('POST', '/own-traffic', { headers })
    expect([refused.status, refused.headers.has('set-cookie')]).toEqual([403, false])
  })
})

describe('networks that are not counted', () => {
  test.each([
    ['203.0.113.0/24', '203.0.113.77', '203.0.114.1'],
    ['198.51.100.7', '198.51.100.7', '198.51.100.8'],
    ['::ffff:203.0.113.0/120', '203.0.113.77', '203.0.114.1'],
    ['2001:DB8:5::/48', '2001:db8:5:1::9', '2001:db8:6::1'],
  ])('%s holds %s and not %s', async (network, inside, outside) => {
    const user = await rig.user()
    const [link, other] = [await makeLink(user, { max_clicks: 2 }), await makeLink(stranger)]
    await setNetworks(user, ['192.0.2.0/24', network])
    for (const ip of [inside, inside, inside]) expect(await visit(link, { 'X-Forwarded-For': ip })).toBe(302)
    expect(await visit(link, { 'X-Forwarded-For': outside })).toBe(302)
    await expectCounts(link, { clicks: 2, bots: 0 })
    // Of another workspace.
    expect(await visit(other, { 'X-Forwarded-For': inside })).toBe(302)
    await expectCounts(other, { clicks: 2, bots: 0 })
  })

  test('are counted as soon as they are no longer listed', async () => {
    const user = await rig.user()
    const link = await makeLink(user)
    const headers = { 'X-Forwarded-For': '203.0.113.77' }
    await setNetworks(user, ['203.0.113.77'])
    expect(await visit(link, headers)).toBe(302)
    await setNetworks(user, [])
    expect(await visit(link, headers)).toBe(302)
    await expectCounts(link, { clicks: 2, bots: 0 })
  })

  test.each([
    [['203.0.113.0/33'], 'uncounted_networks.0', `The uncounted_networks.0 ${NOT_A_NETWORK}`],
    [['10.0.0.1', 'office'], 'uncounted_networks.1', `The uncounted_networks.1 ${NOT_A_NETWORK}`],
    [['10.0.0.0/7'], 'uncounted_networks.0', `The uncounted_networks.0 ${TOO_WIDE}`],
    [['2000::/3'], 'uncounted_networks.0', `The uncounted_networks.0 ${TOO_WIDE}`],
    // They hold every IPv4 address, as ::ffff:203.0.113.7.
    [['::/16'], 'uncounted_networks.0', `The uncounted_networks.0 ${TOO_WIDE}`],
    [['::ffff:0:0/96'], 'uncounted_networks.0', `The uncounted_networks.0 ${TOO_WIDE}`],
    [['::ffff:128.0.0.0/97'], 'uncounted_networks.0', `The uncounted_networks.0 ${TOO_WIDE}`],
    [
      Array(21).fill('10.0.0.1'),
      'uncounted_networks',
      'The uncounted networks may not have more than 20 items.',
    ],
  ])('cannot be %j', async (networks, field, sentence) => {
    const { status, body } = await owner.browser.request('PUT', '/workspace/settings', {
      uncounted_networks: networks,
    })
    expect({ status, body }).toEqual({
      status: 422,
      body: invalid({ [field]: [sentence] }),
    })
  })
})

test('explain says of own traffic that it is not counted', async () => {
  const { short_code: code } = await makeLink(owner)
  const {
    outcome,
    counts_as: countsAs,
    steps,
  } = await owner.browser.succeed('GET', `/links/${code}/resolve?traffic=own`)
  expect([outcome, countsAs]).toEqual(['redirect', 'nothing'])
  expect(steps.at(-2)).toEqual({
    check: 'count',
    result: 'failed',
    rule: null,
    condition: null,
    text: 'It is not counted.',
    detail: 'This browser or network is excluded, and uses up no click limit.',
  })
})

const NOT_A_NETWORK = 'must be an IP address or a network, such as 203.0.113.0/24 or 2001:db8::/48.'
const TOO_WIDE = 'is too large: at most /8 of IPv4 and /16 of IPv6.'

type Link = { id: number; short_code: string }
type Headers = Record<string, string>

const makeLink = ({ browser }: TestUser, fields: object = {}): Promise<Link> =>
  browser.succeed('POST', '/links', { original_url: 'https://example.com/', ...fields })

const visit = async ({ short_code: code }: Link, headers: Headers = {}): Promise<number> =>
  (await rig.call('GET', `/${code}`, { headers: { 'User-Agent': FIREFOX, ...headers } })).status

const setNetworks = ({ browser }: TestUser, networks: readonly string[]) =>
  browser.succeed('PUT', '/workspace/settings', { uncounted_networks: networks })

async function exclusionPath(
  { browser }: TestUser,
  domain = new URL(rig.config.baseUrl).host,
): Promise<string> {
  const { url } = await browser.succeed('POST', '/own-traffic/link', { domain })
  const { host, pathname } = new URL(url)
  expect(host).toStartWith(domain.split(':')[0]!)
  return pathname
}

/** The cookie that it has from then on. */
async function excludedBrowser(user: TestUser, headers: Headers = {}): Promise<string> {
  const answer = await rig.call('GET', await exclusionPath(user), { headers })
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')!.split(';')[0]!
}

async function expectRefused(path: string, headers: Headers = {}): Promise<void> {
  const answer = await rig.call('GET', path, { headers })
  expect([answer.status, answer.headers.has('set-cookie')]).toEqual([404, false])
}

/** One more click comes last, so that all before it are counted when it is. */
async function expectCounts(
  { id, ...link }: Link,
  expected: { clicks: number; bots: number },
): Promise<void> {
  expect([302, 410]).toContain(await visit({ id, ...link }))
  const totals = () =>
    rig.store.db
      .selectFrom('link_totals')
      .select(['clicks', 'bots'])
      .where('link_id', '=', id)
      .executeTakeFirst()
  expect(await eventually(totals, (row) => row !== undefined && row.clicks >= expected.clicks)).toEqual(
    expected,
  )
}
