import { beforeAll, describe, expect, test } from 'bun:test'
import { PLAIN_LINK } from '../rigs/redirect/plain-link.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  countLinks,
  DESTINATION,
  invalid,
  makeLink,
  open,
  statusAndBody,
  TIMESTAMP,
  useContractRig,
} from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const shorten = (links: unknown, { key } = caller) =>
  rig.call('POST', '/api/bulk-shorten', { key, body: { links } })
const links = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ original_url: `${DESTINATION}/${i}`, title: `Number ${i}` }))

describe('a bulk request', () => {
  test('creates its links in the order they were sent, each like a single creation', async () => {
    const answer = await shorten([
      { original_url: `${DESTINATION}/0`, title: 'First', custom_code: 'bulk-first' },
      { url: `${DESTINATION}/1`, is_active: false },
    ])
    const common = {
      id: expect.any(Number),
      svc_id: expect.stringMatching(/^svc_[0-9a-f-]{36}$/),
      click_count: 0,
      created_at: expect.stringMatching(TIMESTAMP),
      ...PLAIN_LINK,
    }
    const code: string = answer.body.data[1].short_code
    const base = rig.config.baseUrl
    expect(statusAndBody(answer)).toEqual({
      status: 201,
      body: {
        success: true,
        message: '2 links created.',
        count: 2,
        data: [
          {
            ...common,
            domain: new URL(base).host,
            short_code: 'bulk-first',
            short_url: `${base}/bulk-first`,
            original_url: `${DESTINATION}/0`,
            title: 'First',
            qr_code_url: `${base}/qr/bulk-first`,
            is_active: true,
          },
          {
            ...common,
            domain: new URL(base).host,
            short_code: expect.stringMatching(/^\w{7}$/),
            short_url: `${base}/${code}`,
            original_url: `${DESTINATION}/1`,
            title: '',
            qr_code_url: `${base}/qr/${code}`,
            is_active: false,
            status: 'disabled',
          },
        ],
      },
    })
    expect((await open(rig, 'bulk-first')).headers.get('location')).toBe(`${DESTINATION}/0`)
    expect((await open(rig, code)).status).toBe(404)
  })

  test('accepts 1 link, and 100', async () => {
    for (const count of [1, 100]) {
      const { status, body } = await shorten(links(count))
      expect([status, body.count]).toEqual([201, count])
      expect(body.data.map(({ title }: { title: string }) => title)).toEqual(
        links(count).map(({ title }) => title),
      )
      expect(new Set(body.data.map(({ short_code }: { short_code: string }) => short_code)).size).toBe(count)
      expect(new Set(body.data.map(({ svc_id }: { svc_id: string }) => svc_id)).size).toBe(count)
    }
  })

  test('accepts 100 destinations of 8,192 characters', async () => {
    const long = Array.from({ length: 100 }, () => ({
      original_url: 'https://example.com/'.padEnd(8192, 'a'),
      title: 'a'.repeat(255),
      custom_code: Bun.randomUUIDv7(),
    }))
    expect((await shorten(long)).status).toBe(201)
  })

  test('counts as one request', async () => {
    const limited = await rig.makeCaller({ rateLimit: 5 })
    const { headers } = await shorten(links(100), limited)
    expect(headers.get('x-ratelimit-remaining')).toBe('4')
  })

  test('reuses a code that its owner has deleted for good', async () => {
    const old = await makeLink(rig, caller, { custom_code: 'bulk-phoenix' })
    await rig.call('DELETE', '/api/links/bulk-phoenix', { key: caller.key })
    await rig.call('DELETE', '/api/trash/bulk-phoenix', { key: caller.key })
    const { body } = await shorten([...links(1), { original_url: DESTINATION, custom_code: 'bulk-phoenix' }])
    expect(body.data[1].id).toBeGreaterThan(old.id)
  })

  test('is all or nothing when two requests compete for one code', async () => {
    const before = await countLinks(rig, caller)
    const one = () => shorten([...links(9), { original_url: DESTINATION, custom_code: 'bulk-contested' }])
    const statuses = (await Promise.all([one(), one(), one()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 422, 422])
    expect(await countLinks(rig, caller)).toBe(before + 10)
  })
})

const NOT_A_URL = 'must be a valid URL that starts with http:// or https://.'
const good = { original_url: DESTINATION, title: 'Good' }

const refused: [what: string, links: unknown, errors: Record<string, string[]>][] = [
  ['without links', undefined, { links: ['The links field is required.'] }],
  ['whose links are null', null, { links: ['The links field is required.'] }],
  ['whose links are an object', { 0: good }, { links: ['The links must be an array.'] }],
  ['whose links are none', [], { links: ['The links must have between 1 and 100 items.'] }],
  ['with 101 links', links(101), { links: ['The links must have between 1 and 100 items.'] }],
  [
    'with an element that is no object',
    [good, DESTINATION, null, [good]],
    {
      'links.1': ['The links.1 must be an object.'],
      'links.2': ['The links.2 must be an object.'],
      'links.3': ['The links.3 must be an object.'],
    },
  ],
  [
    'with an element without destination',
    [good, { title: 'No destination' }],
    {
      'links.1.original_url': ['The original url field is required.'],
      'links.1.url': ['The url field is required.'],
    },
  ],
  [
    'with faults in several elements, naming each',
    [good, { ...good, title: 7 }, { original_url: 'x' }, { url: 'x' }, { ...good, custom_code: 'api' }],
    {
      'links.1.title': ['The title must be a string.'],
      'links.2.original_url': [`The original url ${NOT_A_URL}`],
      'links.3.url': [`The url ${NOT_A_URL}`],
      'links.4.custom_code': ['The custom code is reserved.'],
    },
  ],
  [
    'with a code that is used twice',
    [
      { ...good, custom_code: 'twice' },
      { ...good, custom_code: 'twice' },
    ],
    { 'links.1.custom_code': ['The custom code is used twice in this request.'] },
  ],
  [
    'with codes that are taken, by whomever',
    [good, { ...good, custom_code: 'mine-already' }, { ...good, custom_code: 'theirs-already' }],
    {
      'links.1.custom_code': ['The custom code has already been taken.'],
      'links.2.custom_code': ['The custom code has already been taken.'],
    },
  ],
]

describe('a bulk request is refused and nothing is stored', () => {
  beforeAll(async () => {
    await makeLink(rig, caller, { custom_code: 'mine-already' })
    await makeLink(rig, await rig.makeCaller(), { custom_code: 'theirs-already' })
  })

  test.each(refused)('%s', async (_what, elements, errors) => {
    const before = await countLinks(rig, caller)
    const answer = await shorten(elements)
    expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
    expect(await countLinks(rig, caller)).toBe(before)
  })

  test('and its codes stay free', async () => {
    const answer = await shorten([{ ...good, custom_code: 'bulk-free' }, { original_url: 'x' }])
    expect(answer.status).toBe(422)
    const stranger = await rig.makeCaller()
    expect((await shorten([{ ...good, custom_code: 'bulk-free' }], stranger)).status).toBe(201)
  })
})
