import { beforeEach, describe, expect, test } from 'bun:test'
import { type Browser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { invalid } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
let browser: Browser
let tests = 0
/** Codes are the whole service's: each test has its own. */
let word: string

beforeEach(async () => {
  browser = (await rig.user()).browser
  word = `winter${++tests}`
})

describe('the links that match best', () => {
  test('are four: the one with this very code first, the newest next, archived ones last; the rest is counted', async () => {
    await make(word, { archived: true })
    for (const end of ['a', 'b', 'c', 'd', 'e']) await make(`${word}-${end}`)
    expect(await find(word)).toEqual({
      codes: [word, `${word}-e`, `${word}-d`, `${word}-c`],
      total: 6,
      is_more: false,
    })
    for (const end of ['b', 'c', 'd', 'e'])
      await browser.succeed('PUT', `/links/${word}-${end}`, { archived: true })
    expect((await find(`${word}-`)).codes).toEqual([`${word}-a`, `${word}-e`, `${word}-d`, `${word}-c`])
  })

  test('are found by title, destination, notes and short URL, in any case, by all of the words', async () => {
    await make(`${word}-1`, { title: 'Ärmelloses Daunengilet', notes: 'For the newsletter' })
    await make(`${word}-2`, { original_url: 'https://shop.example/jackets?color=red' })
    const first = { codes: [`${word}-1`], total: 1, is_more: false }
    expect(await find('  DAUNENGILET ärmellos ')).toEqual(first)
    expect(await find('newsletter daunen')).toEqual(first)
    expect(await find(`${rig.config.baseUrl}/${word}-1?utm_source=x`)).toEqual(first)
    expect(await find('jackets red')).toEqual({ ...first, codes: [`${word}-2`] })
    expect(await find('jackets daunengilet')).toEqual({ codes: [], total: 0, is_more: false })
    expect(await find('')).toEqual({ codes: [], total: 0, is_more: false })
  })

  test('are those of the caller, and not those in the trash', async () => {
    await make(word)
    const stranger = (await rig.user()).browser
    expect(await find(word, stranger)).toEqual({ codes: [], total: 0, is_more: false })
    await browser.succeed('DELETE', `/links/${word}`)
    expect(await find(word)).toEqual({ codes: [], total: 0, is_more: false })
  })

  test('have what the editor needs', async () => {
    await make(word, { title: 'Winter' })
    const { body } = await browser.request('GET', `/find-links?search=${word}`)
    expect(body.data[0]).toEqual(
      await browser.succeed('GET', `/links/${word}?include=opened&include=version`),
    )
  })

  test('are refused for a text that is too long, given twice, or not well-formed', async () => {
    const request = async (query: string) => (await browser.request('GET', `/find-links?${query}`)).body
    expect(await request(`search=${'x'.repeat(256)}`)).toEqual(
      invalid({ search: ['The search may not be greater than 255 characters.'] }),
    )
    expect(await request('search=a&search=b')).toEqual(
      invalid({ search: ['The search may be given only once.'] }),
    )
    expect(await request('search=a%00b')).toEqual(
      invalid({ search: ['The search must be well-formed text.'] }),
    )
  })
})

const make = (custom_code: string, others: object = {}) =>
  browser.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code, ...others })
async function find(search: string, from = browser) {
  const { status, body } = await from.request('GET', `/find-links?search=${encodeURIComponent(search)}`)
  expect(status).toBe(200)
  return { codes: body.data.map(({ short_code: code }: any) => code), ...body.meta }
}
