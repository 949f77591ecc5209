import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { type PageServer, REACHES_PAGES, startPageServer } from '../rigs/outside/page-server.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { useOwnContractRig } from './contract-rig.ts'

const rig = useOwnContractRig(...REACHES_PAGES)
const caller = useCaller(rig)
let pages: PageServer

beforeAll(async () => (pages = await startPageServer()))
afterAll(() => pages.stop())

test('an empty title is filled with that of the page, after the response', async () => {
  const asked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const url = pages.serve('/slow', async (_, response) => {
    asked.resolve()
    await goOn.promise
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Late &amp; long</title>')
  })
  const { status, body } = await create({ original_url: url, fetch_title: true })
  expect({ status, title: body.data.title }).toEqual({ status: 201, title: '' })
  await asked.promise
  goOn.resolve()
  expect(await titleOf(body.data.short_code, (title) => title !== '')).toBe('Late & long')
})

test('in bulk, only for the links that ask for it and have no title', async () => {
  const url = pages.serve('/bulk', '<title>Page</title>')
  const links = [
    { original_url: url, fetch_title: true },
    { original_url: url, fetch_title: true, title: 'Mine' },
    { original_url: url, fetch_title: false },
    { original_url: url },
    { original_url: url, fetch_title: null },
    { original_url: url, fetch_title: true },
  ]
  const { body } = await call('POST', '/api/bulk-shorten', { links })
  const codes: string[] = body.data.map((link: { short_code: string }) => link.short_code)
  await titleOf(codes[5]!, (title) => title === 'Page')
  await titleOf(codes[0]!, (title) => title === 'Page')
  const titles = await Promise.all(codes.map(async (code) => (await linkOf(code)).title))
  expect(titles).toEqual(['Page', 'Mine', '', '', '', 'Page'])
})

test('a title or a destination that was set during the fetch is kept', async () => {
  const waiting: (() => void)[] = []
  const url = pages.serve('/edited', async (_, response) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Too late</title>')
  })
  const codes: string[] = []
  for (const change of [{ title: 'Typed' }, { original_url: 'https://example.com/other' }]) {
    const { short_code: code } = (await create({ original_url: url, fetch_title: true })).body.data
    await eventually(
      async () => waiting.length,
      (length) => length === codes.length + 1,
    )
    await call('PUT', `/api/links/${code}`, change)
    codes.push(code)
  }
  const before = await Promise.all(codes.map(linkOf))
  for (const resolve of waiting) resolve()
  // The next one is behind those two.
  const marker = pages.serve('/marker', '<title>Marker</title>')
  const { short_code: last } = (await create({ original_url: marker, fetch_title: true })).body.data
  await titleOf(last, (title) => title === 'Marker')
  expect(await Promise.all(codes.map(linkOf))).toEqual(before)
  expect(before.map(({ title }) => title)).toEqual(['Typed', ''])
})

test('a page without a title, an error and a host that is not public leave it empty', async () => {
  const urls = [
    pages.serve('/none', '<p>Hello</p>'),
    pages.url('/missing'),
    `http://127.0.0.1:${pages.port}/`,
  ]
  const codes: string[] = []
  for (const original_url of urls)
    codes.push((await create({ original_url, fetch_title: true })).body.data.short_code)
  const marker = pages.serve('/after', '<title>After</title>')
  const { short_code: last } = (await create({ original_url: marker, fetch_title: true })).body.data
  await titleOf(last, (title) => title === 'After')
  for (const code of codes) expect(await linkOf(code)).toMatchObject({ title: '' })
})

test('a repeated request fills no title again', async () => {
  const url = pages.serve('/once', '<title>Once</title>')
  const headers = { 'Idempotency-Key': 'once' }
  const body = { original_url: url, fetch_title: true }
  const { short_code: code } = (await call('POST', '/api/links', body, headers)).body.data
  await titleOf(code, (title) => title === 'Once')
  await call('PUT', `/api/links/${code}`, { title: '' })
  const requests = pages.requests.length
  expect((await call('POST', '/api/links', body, headers)).headers.get('Idempotent-Replayed')).toBe('true')
  expect(await linkOf(code)).toMatchObject({ title: '' })
  expect(pages.requests).toHaveLength(requests)
})

test('fetch_title must be true or false', async () => {
  for (const fetch_title of ['true', 1, [], {}]) {
    const { status, body } = await create({ original_url: 'https://example.com/', fetch_title })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { fetch_title: ['The fetch title field must be true or false.'] },
    })
  }
})

const call = (method: string, path: string, body?: unknown, headers = {}) =>
  rig.call(method, path, { key: caller.key, body, headers })
const create = (body: object) => call('POST', '/api/links', body)
const linkOf = async (code: string) => (await call('GET', `/api/links/${code}`)).body.data
const titleOf = (code: string, isThere: (title: string) => boolean) =>
  eventually(async () => (await linkOf(code)).title as string, isThere)
