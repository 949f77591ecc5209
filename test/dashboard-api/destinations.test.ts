import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { useOwnDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'
import {
  bytesAnswer,
  type PageServer,
  REACHES_PAGES,
  redirectTo,
  startPageServer,
} from '../rigs/outside/page-server.ts'
import { PNG_PIXEL } from '../rigs/pictures.ts'

let pages: PageServer
beforeAll(async () => (pages = await startPageServer()))
afterAll(() => pages.stop())

describe('destinations', () => {
  const rig = useOwnDashboardRig(...REACHES_PAGES)
  const user = useUser(rig)
  const look = (url: unknown) => user.browser.request('POST', '/destinations/look', { url })
  const found = async (url: string) => (await look(url)).body.data
  const picture = (url: string) =>
    user.browser.request('GET', `/destinations/picture?url=${encodeURIComponent(url)}`)

  test('are looked at, with what their pages say', async () => {
    const url = pages.serve(
      '/winter',
      `<title>Winter</title><meta name=description content="&lt;b&gt;Cold&lt;/b&gt;">
       <link rel=icon href=/icon.png><meta property=og:image content=/winter.webp>`,
    )
    expect(await look(url)).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Looked at the destination.',
        data: {
          redirects_to: null,
          status: 200,
          failure: null,
          title: 'Winter',
          description: '<b>Cold</b>',
          icon_url: pages.url('/icon.png'),
          image_url: pages.url('/winter.webp'),
        },
      },
    })
    expect(pages.requests.at(-1)!.headers['user-agent']).toBe(`Tern/0.1.0 (+${rig.config.baseUrl})`)
  })

  test('redirect, answer with an error, or cannot be reached', async () => {
    pages.serve('/new', '<title>New</title>')
    const redirecting = pages.serve('/old', redirectTo('/new'))
    expect(await found(redirecting)).toMatchObject({
      redirects_to: pages.url('/new'),
      status: 200,
      title: 'New',
    })
    expect(await found(pages.url('/gone'))).toMatchObject({ redirects_to: null, status: 404, title: null })
    const [nowhere, inside] = ['http://127.0.0.3:9/', `http://127.0.0.1:${pages.port}/`]
    for (const url of [nowhere, inside, 'http://169.254.169.254/latest/meta-data/', 'http://localhost:1/']) {
      expect(await found(url)).toMatchObject({ status: null, failure: 'no-public-address', title: null })
      const hop = pages.serve('/hop', redirectTo(url))
      expect(await found(hop)).toMatchObject({
        redirects_to: url,
        status: null,
        failure: 'no-public-address',
      })
    }
  })

  test('must be URLs that links may have', async () => {
    for (const url of [
      'file:///etc/hostname',
      'example',
      '',
      null,
      7,
      `${rig.config.baseUrl}/x`,
      undefined,
    ]) {
      const { status, body } = await look(url)
      expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['url'] })
    }
  })

  test('have pictures, which come from this server', async () => {
    const url = pages.serve(
      '/a.png',
      bytesAnswer(PNG_PIXEL, { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b' }),
    )
    const { status, headers } = await picture(url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG_PIXEL.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(headers.getSetCookie()).toEqual([])
  })

  test('have no pictures of other types', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const url = pages.serve('/b.png', bytesAnswer(Buffer.from(svg), { 'Content-Type': 'image/png' }))
    for (const other of [url, pages.url('/missing.png'), 'http://169.254.169.254/a.png']) {
      expect(await picture(other)).toMatchObject({ status: 404, body: { success: false } })
    }
    expect(await picture('data:image/png;base64,AA')).toMatchObject({ status: 422 })
    expect(await user.browser.request('GET', '/destinations/picture')).toMatchObject({ status: 422 })
  })

  test('are looked at for members who may create links, on our own pages only', async () => {
    const url = pages.serve('/secret', '<title>Secret</title>')
    const before = pages.requests.length
    const paths: [string, string, object?][] = [
      ['POST', '/destinations/look', { url }],
      ['GET', `/destinations/picture?url=${url}`],
    ]
    for (const [method, path, body] of paths) {
      expect((await rig.browser().request(method, path, body)).status).toBe(401)
      expect(
        (await user.browser.request(method, path, body, { 'Sec-Fetch-Site': 'cross-site' })).status,
      ).toBe(403)
      await rig.store.db.updateTable('members').set({ role: 'viewer' }).execute()
      expect((await user.browser.request(method, path, body)).status).toBe(403)
      await rig.store.db.updateTable('members').set({ role: 'owner' }).execute()
    }
    expect(pages.requests).toHaveLength(before)
  })
})

describe('destinations on other ports than those of web servers', () => {
  const rig = useOwnDashboardRig(REACHES_PAGES[0], { reachableIps: REACHES_PAGES[1].reachableIps })
  const user = useUser(rig)

  test('can be stored, but are not looked at', async () => {
    const url = pages.serve('/odd-port', '<title>Odd</title>')
    const before = pages.requests.length
    const { body } = await user.browser.request('POST', '/destinations/look', { url })
    expect(body.data).toMatchObject({ failure: 'port', status: null, title: null })
    expect((await user.browser.request('POST', '/links', { original_url: url })).status).toBe(201)
    expect(pages.requests).toHaveLength(before)
  })
})

describe('destinations that are not looked at, because the operator does not want it', () => {
  const rig = useOwnDashboardRig({ ...REACHES_PAGES[0], FETCH_DESTINATIONS: '0' }, REACHES_PAGES[1])
  const user = useUser(rig)

  test('the endpoints refuse, and the dashboard knows', async () => {
    const url = pages.serve('/quiet', '<title>Quiet</title>')
    const before = pages.requests.length
    expect((await user.browser.request('POST', '/destinations/look', { url })).status).toBe(403)
    expect((await user.browser.request('GET', `/destinations/picture?url=${url}`)).status).toBe(403)
    expect(await user.browser.succeed('GET', '/instance')).toMatchObject({ looks_at_destinations: false })
    expect(pages.requests).toHaveLength(before)
  })

  test('and titles stay empty', async () => {
    const link = await user.browser.succeed('POST', '/links', {
      original_url: pages.url('/quiet'),
      fetch_title: true,
    })
    expect(await user.browser.succeed('GET', `/links/${link.short_code}`)).toMatchObject({ title: '' })
  })
})
