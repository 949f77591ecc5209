import { beforeAll, describe, expect, test } from 'bun:test'
import { createUnasked, UNHEARD } from '../rigs/service/creation.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { newLinkTo } from '../rigs/redirect/new-link-to.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, makeLink, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const few = useCaller(rig)
const many = useCaller(rig)

beforeAll(makeLinks)

const LONG_TITLE = Array.from({ length: 21 }, (_, n) => `w${n}x`).join(' ')

const accounts: [size: string, who: () => TestCaller][] = [
  ['a few links', () => few],
  ['more than 2,500 links', () => many],
]

describe.each(accounts)('a search among %s', (_size, who) => {
  test.each<[what: string, text: string, titles: string[]]>([
    ['the title', 'mer Sa', ['Summer Sale']],
    ['the URL, the newest first', 'summer', ['Winter', 'Summer Sale']],
    ['any case', 'sUmMeR', ['Winter', 'Summer Sale']],
    ['one character', '%', ['100% off']],
    ['two characters', '0%', ['100% off']],
    ['three characters', '0% ', ['100% off']],
    ['a percent sign among letters', '100% off', ['100% off']],
    ['one underscore', '_', ['snake_case']],
    ['an underscore among letters', 'ake_ca', ['snake_case']],
    ['one backslash', '\\', ['back\\slash']],
    ['a backslash among letters', 'ck\\sl', ['back\\slash']],
    ['one double quote', '"', ['say "hello" to it\'s owner']],
    ['double quotes among letters', 'say "hello"', ['say "hello" to it\'s owner']],
    ['a single quote', "it's", ['say "hello" to it\'s owner']],
    ['operators of the index as text', 'AND b OR c NOT d*', ['a AND b OR c NOT d*']],
    ['an operator of the index as any other word', 'NOT nowhere', []],
    ['an asterisk', '*', ['a AND b OR c NOT d*']],
    ['signs of an address', '?q=1&r=2', ['a AND b OR c NOT d*']],
    ['letters beyond ASCII', 'Größe', ['Größe der ÄRGERLICHEN Übung']],
    ['letters beyond ASCII in lower case', 'ärgerlichen übung', ['Größe der ÄRGERLICHEN Übung']],
    ['letters beyond ASCII in upper case', 'ÜBUNG', ['Größe der ÄRGERLICHEN Übung']],
    ['letters without their accents', 'grosse argerlichen ubung', ['Größe der ÄRGERLICHEN Übung']],
    ['letters and their accents apart', 'A\u0308RGERLICHEN u\u0308bung', ['Größe der ÄRGERLICHEN Übung']],
    ['another alphabet in another case', 'привет МИР', ['Привет Мир']],
    ['two letters of another alphabet', 'МИ', ['Привет Мир']],
    ['characters without case', '本語', ['日本語の題']],
    ['three characters without case', '日本語', ['日本語の題']],
    ['an emoji', '🎉', ['party 🎉 time']],
    ['an emoji among letters', 'y 🎉 t', ['party 🎉 time']],
    ['words that stand apart, in title and URL', 'winter summer', ['Winter']],
    ['words in another order', 'sale  summer', ['Summer Sale']],
    ['words with any kind of blank between and around them', ' \tOFF\u00a0100% \n', ['100% off']],
    ['a short word beside a long one', 'ä übung', ['Größe der ÄRGERLICHEN Übung']],
    ['short words alone', 'c* b', []],
    ['short words alone, all there', 'd* b', ['a AND b OR c NOT d*']],
    ['nothing where one word is missing', 'summer sale nowhere', []],
    ['a word that is said twice', 'sale sale', ['Summer Sale']],
    ['more than twenty words as they stand', LONG_TITLE.toUpperCase(), [LONG_TITLE]],
    ['nothing for more than twenty words in another order', LONG_TITLE.split(' ').reverse().join(' '), []],
    ['nothing for other letters', 'Grösa', []],
    ['a word with a blank behind it', 'Winter ', ['Winter']],
  ])('finds %s', async (_what, text, titles) => {
    expect(await search(who(), text)).toEqual({ titles, total: titles.length })
  })

  test('finds a code or part of one in any case, together with words of its link', async () => {
    const custom_code = `Autumn_${who().workspaceId}-Fair`
    const { short_code } = await makeLink(rig, who(), { title: 'market', custom_code })
    const twin = await makeLink(rig, who(), { title: 'twin', custom_code: custom_code.toLowerCase() })
    const part = `umn_${who().workspaceId}-f`
    expect(await search(who(), custom_code)).toEqual({ titles: ['market', 'twin'], total: 2 })
    expect(await search(who(), part)).toEqual({ titles: ['twin', 'market'], total: 2 })
    expect(await search(who(), `market ${part}`)).toEqual({ titles: ['market'], total: 1 })
    await rig.call('PUT', `/api/links/${short_code}`, { key: who().key, body: { title: 'bazaar' } })
    expect(await search(who(), `bazaar ${part}`)).toEqual({ titles: ['bazaar'], total: 1 })
    for (const code of [short_code, twin.short_code])
      await rig.call('DELETE', `/api/links/${code}`, { key: who().key })
    expect((await search(who(), part)).total).toBe(0)
  })

  test('finds the link of a pasted short URL, however it is written', async () => {
    const custom_code = `Pasted-${who().workspaceId}`
    const { short_url, short_code } = await makeLink(rig, who(), { title: 'pasted one', custom_code })
    const twin = await makeLink(rig, who(), { title: 'twin', custom_code: custom_code.toLowerCase() })
    const { host } = new URL(short_url)
    const spellings = [
      short_url,
      ` ${short_url}\n`,
      `${host}/${short_code}`,
      `https://${host.toUpperCase()}/${short_code}`,
      `HTTP://${host}/${short_code}`,
      `${short_url}/`,
      `${short_url}+`,
      `${short_url}?utm_source=mail`,
      `${host}/${short_code}#top`,
      `${short_url}/?a=b`,
      `one ${short_url}`,
      `${host}/${short_code} PASTED`,
    ]
    for (const text of spellings) {
      expect([text, await search(who(), text)]).toEqual([text, { titles: ['pasted one'], total: 1 }])
    }
    const others = [
      `${short_url}x`,
      `${short_url}/more`,
      `${short_url} nowhere`,
      `elsewhere.example/${short_code}`,
      `${short_url}++`,
    ]
    for (const text of others) expect([text, (await search(who(), text)).total]).toEqual([text, 0])
    const naming = await makeLink(rig, who(), { title: `instead of ${short_url}` })
    expect((await search(who(), short_url)).titles).toEqual(['pasted one', `instead of ${short_url}`])
    for (const code of [short_code, twin.short_code, naming.short_code])
      await rig.call('DELETE', `/api/links/${code}`, { key: who().key })
    expect((await search(who(), short_url)).total).toBe(0)
  })

  test('finds nothing by the code or short URL of another account’s link', async () => {
    const { short_url, short_code } = await makeLink(rig, await rig.makeCaller(), { title: 'theirs' })
    expect([(await search(who(), short_code)).total, (await search(who(), short_url)).total]).toEqual([0, 0])
  })

  test('has pages like the list, with its own total', async () => {
    const { key } = who()
    const first = await rig.call('GET', '/api/links?search=summer&per_page=1', { key })
    const second = await rig.call('GET', '/api/links?search=summer&per_page=1&page=2', { key })
    const titles = [first, second].map(({ body }) => body.data.map(({ title }: { title: string }) => title))
    expect(titles).toEqual([['Winter'], ['Summer Sale']])
    expect(second.body.meta).toEqual({ current_page: 2, last_page: 2, per_page: 1, total: 2 })
  })

  test('accepts 255 characters', async () => {
    const { short_code } = await makeLink(rig, who(), { title: 'ü'.repeat(255) })
    expect((await search(who(), 'Ü'.repeat(255))).total).toBe(1)
    await rig.call('DELETE', `/api/links/${short_code}`, { key: who().key })
  })

  test('sees what was created, edited and deleted from the next request', async () => {
    const { key } = who()
    const total = async (text: string) => (await search(who(), text)).total
    const { short_code } = await makeLink(rig, who(), {
      title: 'quokka',
      original_url: `${DESTINATION}/wombat`,
    })
    expect([await total('quokka'), await total('wombat')]).toEqual([1, 1])
    await rig.call('PUT', `/api/links/${short_code}`, { key, body: { title: 'numbat' } })
    expect([await total('quokka'), await total('numbat'), await total('wombat')]).toEqual([0, 1, 1])
    await rig.call('PUT', `/api/links/${short_code}`, { key, body: { original_url: `${DESTINATION}/bilby` } })
    expect([await total('wombat'), await total('bilby')]).toEqual([0, 1])
    await rig.call('DELETE', `/api/links/${short_code}`, { key })
    expect([await total('numbat'), await total('bilby')]).toEqual([0, 0])
  })
})

let added = 0

async function makeLinks(): Promise<void> {
  await createUnasked(
    { db: rig.store.db, clock: systemClock, ...UNHEARD },
    many,
    Array.from({ length: MANY }, (_, n) =>
      newLinkTo('https://filler.example/', { title: 'filler', custom_code: `zzz${n}zzz` }),
    ),
  )
  for (const who of [few, many]) for (const [title, url] of TEXTS) await addText(who, title, url)
  await addText(await rig.makeCaller(), 'Summer of a stranger', 'https://example.com/summer')
}

/** From this number of links on the index answers, and no longer the rows. */
const MANY = 2_600

const TEXTS: [title: string, url: string][] = [
  ['Summer Sale', 'https://example.com/a'],
  ['Winter', 'https://example.com/SUMMER-last-year'],
  ['100% off', 'https://example.com/b'],
  ['100 percent off', 'https://example.com/c'],
  ['snake_case', 'https://example.com/d'],
  ['snakeXcase', 'https://example.com/e'],
  ['back\\slash', 'https://example.com/f'],
  ['say "hello" to it\'s owner', 'https://example.com/g'],
  ['Größe der ÄRGERLICHEN Übung', 'https://example.com/h'],
  ['Привет Мир', 'https://example.com/i'],
  ['日本語の題', 'https://example.com/j'],
  ['party 🎉 time', 'https://example.com/k'],
  ['a AND b OR c NOT d*', 'https://example.com/l?q=1&r=2'],
  [LONG_TITLE, 'https://example.com/m'],
]
/** A drawn code may contain a short word by chance. */
const addText = (who: TestCaller, title: string, original_url: string) =>
  makeLink(rig, who, { title, original_url, custom_code: `zz${added++}zz` })

async function search({ key }: TestCaller, text: string, more = '') {
  const path = `/api/links?per_page=100&search=${encodeURIComponent(text)}${more}`
  const { body } = await rig.call('GET', path, { key })
  return { titles: body.data.map(({ title }: { title: string }) => title), total: body.meta.total }
}
