import { beforeAll, describe, expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, invalid, makeLink, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
/** As they were made, the oldest first, like the list shows them. */
let links: Record<string, unknown>[]

beforeAll(makeLinks)

describe('the list', () => {
  test('has 15 links per page, newest first, each with all its fields', async () => {
    expect(statusAndBody(await list())).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'Links retrieved.',
        data: newestFirst().slice(0, 15),
        meta: { current_page: 1, last_page: 9, per_page: 15, total: LINKS },
      },
    })
  })

  test.each([7, 15, 62, 63, 100])('has every link once across all pages of %d', async (perPage) => {
    const count = Math.ceil(LINKS / perPage)
    const asked = Array.from({ length: count }, (_, i) => list(`?per_page=${perPage}&page=${i + 1}`))
    expect((await Promise.all(asked)).flatMap(({ body }) => body.data)).toEqual(newestFirst())
  })

  test('has as many per page as requested, and 100 when more are requested', async () => {
    for (const [asked, given] of [
      ['1', 1],
      ['100', 100],
      ['101', 100],
      ['1000000', 100],
    ] as const) {
      const { body } = await list(`?per_page=${asked}`)
      expect(body.data).toEqual(newestFirst().slice(0, given))
      expect(body.meta).toEqual({
        current_page: 1,
        last_page: Math.ceil(LINKS / given),
        per_page: given,
        total: LINKS,
      })
    }
  })

  test('is empty on a page past the end', async () => {
    for (const page of [10, 999_999_999]) {
      const { status, body } = await list(`?page=${page}`)
      expect([status, body.data, body.meta]).toEqual([
        200,
        [],
        { current_page: page, last_page: 9, per_page: 15, total: LINKS },
      ])
    }
  })

  test('has one page, an empty one, when there are no links', async () => {
    const { body } = await list('', await rig.makeCaller())
    expect(body.data).toEqual([])
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 0 })
  })

  test('treats empty parameters as absent and ignores unknown ones', async () => {
    const { body } = await list('?page=&per_page=&search=&sorting=oldest&page[]=7')
    expect(body.data).toEqual(newestFirst().slice(0, 15))
  })
})

describe('a page', () => {
  const AT_LEAST_ONE = 'must be an integer of at least 1.'
  test.each<[query: string, errors: Record<string, string[]>]>([
    ['page=0', { page: [`The page ${AT_LEAST_ONE}`] }],
    ['page=1&page=2', { page: ['The page may be given only once.'] }],
    ['per_page=0', { per_page: [`The per page ${AT_LEAST_ONE}`] }],
    [`search=${'a'.repeat(256)}`, { search: ['The search may not be greater than 255 characters.'] }],
    ['search=a%00b', { search: ['The search must be well-formed text.'] }],
    ['search=a&search=b', { search: ['The search may be given only once.'] }],
    [
      'page=0&per_page=x&search=a%00b',
      {
        page: [`The page ${AT_LEAST_ONE}`],
        per_page: [`The per page ${AT_LEAST_ONE}`],
        search: ['The search must be well-formed text.'],
      },
    ],
  ])('is refused for ?%s', async (query, errors) => {
    expect(statusAndBody(await list(`?${query}`))).toEqual({ status: 422, body: invalid(errors) })
  })
})

async function makeLinks(): Promise<void> {
  links = []
  const add = async (from: number, to: number) => {
    const body = {
      links: Array.from({ length: to - from }, (_, i) => ({
        original_url: `${DESTINATION}/${from + i}`,
        title: `Link ${from + i}`,
      })),
    }
    const made = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body })
    for (const { svc_id: _, ...link } of made.body.data) links.push(link)
  }
  await add(0, 60)
  const { svc_id: _, ...single } = await makeLink(rig, caller, { title: 'Link 60' })
  links.push(single)
  await add(61, LINKS)
}

const LINKS = 125

const list = (query = '', { key } = caller) => rig.call('GET', `/api/links${query}`, { key })
const newestFirst = () => links.toReversed()
