import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { pngFile } from '../../src/qr/png-file.ts'
import { type DashboardRig, startDashboardRig, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { bytesAnswer, type PageServer, REACHES_PAGES, startPageServer } from '../rigs/outside/page-server.ts'
import { waitsDuring } from './health-probe.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

// Whatever a page of others or a picture contains, the API thread goes on serving others while it is read.

let rig: DashboardRig
let pages: PageServer
let user: TestUser

beforeAll(startBoth)
afterAll(stopBoth)

test('a title is fetched from a hostile page while the API serves others', async () => {
  const html = `<title>First</title>${HOSTILE_PAGES['open elements and end tags of others']}`
  const headers = { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }
  const url = pages.serve('/title', bytesAnswer(gzipSync(html), headers))
  const plainUrl = pages.serve('/plain-title', `<title>First</title>${filled('a')}`)
  const create = async (page: string) => {
    const body = { original_url: page, fetch_title: true }
    const { status, body: created } = await user.browser.request('POST', '/links', body)
    expect(status).toBe(201)
    const title = await eventually(
      async () => (await user.browser.request('GET', `/links/${created.data.short_code}`)).body.data.title,
      (text) => text !== '',
    )
    expect(title).toBe('First')
  }
  expect(
    await waitsDuring(
      rig.url,
      () => create(url),
      () => create(plainUrl),
    ),
  ).toBeUndefined()
})

const BYTES = 1_000_000
const filled = (unit: string, bytes = BYTES) => unit.repeat(bytes / unit.length)
const HOSTILE_PAGES = {
  'open elements and end tags of others': filled('<div>', BYTES / 2) + filled('</b>', BYTES / 2),
  'open drawings': filled('<svg>'),
  titles: filled('<title>a</title>'),
  'a tag of many attributes': `<meta ${filled('a ')}`,
  'quotes that do not end': filled('<a b="'),
  'comments that do not end': filled('<!--'),
  'character references': `<title>${filled('&amp;')}`,
  'bytes that are no text': filled('\ud83d'),
}

test.each(Object.entries(HOSTILE_PAGES))(
  'the API serves others while it reads a page of %s',
  async (name, html) => {
    const headers = { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }
    const url = pages.serve(`/${encodeURIComponent(name)}`, bytesAnswer(gzipSync(html), headers))
    const plainUrl = pages.serve('/plain', filled('a'))
    const look = async (page: string) => {
      const answer = await user.browser.request('POST', '/destinations/look', { url: page })
      expect(answer).toMatchObject({ status: 200, body: { data: { status: 200, failure: null } } })
    }
    expect(
      await waitsDuring(
        rig.url,
        () => look(url),
        () => look(plainUrl),
      ),
    ).toBeUndefined()
  },
  60_000,
)

const SIDE = 1_024
/** As many pixels as a logo may have, in as many bytes as it may have. */
function largestLogo(): string {
  const rows = new Uint8Array(SIDE * (1 + SIDE * 4))
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE * 4; x++) rows[y * (1 + SIDE * 4) + 1 + x] = (x >> 2) * 7 + y * 13
  return `data:image/png;base64,${pngFile({ side: SIDE, bitDepth: 8, colorType: 6 }, rows).toString('base64')}`
}

test('the API serves others while QR codes are drawn that cost as much as they may', async () => {
  const created = await user.browser.request('POST', '/links', { original_url: 'https://example.com/' })
  const code: string = created.body.data.short_code
  const style = { modules: 'dots', corners: 'round', logo: largestLogo(), logo_size: 30, background: null }
  const preview = async (body: object) => {
    const { status } = await user.browser.request('POST', `/links/${code}/qr`, body)
    expect(status).toBe(200)
  }
  const picture = async (query: string) => {
    const { status } = await documentedFetch(`${rig.url}/qr/${code}?format=png&${query}`)
    expect(status).toBe(200)
  }
  expect(
    await waitsDuring(
      rig.url,
      () => preview(style),
      () => preview({}),
    ),
  ).toBeUndefined()
  const saved = await user.browser.request('PUT', '/workspace/settings', { qr_style: style })
  expect(saved.status).toBe(200)
  expect(
    await waitsDuring(
      rig.url,
      () => picture('style=workspace&size=1024'),
      () => picture('size=64'),
    ),
  ).toBeUndefined()
})

async function startBoth(): Promise<void> {
  pages = await startPageServer()
  const [settings, options] = REACHES_PAGES
  rig = await startDashboardRig({ ...settings, SIGNUP: 'open' }, options)
  user = await rig.user()
}

async function stopBoth(): Promise<void> {
  await rig.stop()
  await pages.stop()
}
