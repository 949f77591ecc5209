import { describe, expect, test } from 'bun:test'
import type { FieldErrors } from '../errors/refusal.ts'
import { Refusal } from '../errors/refusal.ts'
import { Blocks } from './destinations/blocks.ts'
import { linkSchemas } from './link-fields.ts'
import { readLinkEdit, readNewLink, readNewLinks } from './read-links.ts'

const schemas = linkSchemas({
  ownHosts: new Set(['tern.example']),
  allowPrivate: false,
  blocks: new Blocks(),
})
const URL_SENT = 'HTTPS://Example.com/a'
const DESTINATION = { text: URL_SENT, href: 'https://example.com/a' }
const good = { original_url: URL_SENT, title: 'A', custom_code: 'abc', is_active: false }

function fieldsOf(read: () => unknown): FieldErrors {
  try {
    read()
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return error.fields
    throw error
  }
  return {}
}

const REQUIRED = {
  original_url: ['The original url field is required.'],
  url: ['The url field is required.'],
}

describe('a new link', () => {
  test('is read with its destination as sent and as the redirect will have it', () => {
    expect(readNewLink(good, schemas)).toEqual({
      original_url: DESTINATION,
      title: 'A',
      is_active: false,
      custom_code: 'abc',
      aliases: [],
      tags: [],
    })
  })

  test('has defaults for what is absent or null', () => {
    const defaults = { original_url: DESTINATION, title: '', aliases: [], tags: [], is_active: true }
    for (const rest of [{}, { title: null, custom_code: null, is_active: null, url: null }])
      expect<object>(readNewLink({ original_url: URL_SENT, ...rest }, schemas)).toEqual(defaults)
  })

  test('takes url for original_url, alone or beside an equal one', () => {
    for (const input of [{ url: URL_SENT }, { url: URL_SENT, original_url: URL_SENT }])
      expect(readNewLink(input, schemas).original_url).toEqual(DESTINATION)
  })

  test('has nothing of what it does not know, whatever the name', () => {
    const input = JSON.parse(`{"original_url":"${URL_SENT}","__proto__":{"title":"x"},"id":7,"clickCount":9}`)
    expect<object>(readNewLink(input, schemas)).toEqual({
      original_url: DESTINATION,
      title: '',
      aliases: [],
      tags: [],
      is_active: true,
    })
  })

  test('without a destination is refused under both names', () => {
    for (const change of [{ original_url: undefined }, { original_url: null }, { original_url: '' }])
      expect(fieldsOf(() => readNewLink({ ...good, ...change }, schemas))).toEqual(REQUIRED)
  })

  test('with an invalid destination is refused under the name that was sent', () => {
    const notAUrl = (name: string) => [
      `The ${name} must be a valid URL that starts with http:// or https://.`,
    ]
    expect(fieldsOf(() => readNewLink({ original_url: 'x' }, schemas))).toEqual({
      original_url: notAUrl('original url'),
    })
    expect(fieldsOf(() => readNewLink({ url: 'x' }, schemas))).toEqual({ url: notAUrl('url') })
  })

  test('with two destinations is refused, whatever they are', () => {
    for (const original_url of [URL_SENT, 'x', 7])
      expect(fieldsOf(() => readNewLink({ original_url, url: 'y', title: 7 }, schemas))).toEqual({
        url: ['The url and original url must be the same when both are sent.'],
        title: ['The title must be a string.'],
      })
  })

  test('is refused with the errors of all fields', () => {
    const bad = { original_url: 1, title: 2, custom_code: 3, is_active: 4 }
    expect(Object.keys(fieldsOf(() => readNewLink(bad, schemas)))).toEqual(
      Object.keys(bad).toSorted(byOrderOfReading),
    )
  })
})

const READ = ['original_url', 'title', 'custom_code', 'is_active']
const byOrderOfReading = (a: string, b: string) => READ.indexOf(a) - READ.indexOf(b)

describe('several new links', () => {
  const fieldsOfMany = (links: unknown) =>
    readNewLinks({ links }, schemas).then(
      () => undefined,
      ({ fields }: Refusal) => fields,
    )

  test('are read in their order', async () => {
    const links = await readNewLinks({ links: [good, { url: URL_SENT }] }, schemas)
    expect(links.map(({ custom_code: code }) => code)).toEqual(['abc', undefined])
  })

  test('are refused under the names of their fields', async () => {
    const links = [{ ...good, title: 7 }, {}, { ...good, custom_code: 'abc' }, 'x']
    expect(await fieldsOfMany(links)).toEqual({
      'links.0.title': ['The title must be a string.'],
      'links.1.original_url': REQUIRED.original_url,
      'links.1.url': REQUIRED.url,
      'links.2.custom_code': ['The custom code is used twice in this request.'],
      'links.3': ['The links.3 must be an object.'],
    })
  })

  test('must be 1 to 100 in an array', async () => {
    const COUNT = { links: ['The links must have between 1 and 100 items.'] }
    const many = (count: number) => Array.from({ length: count }, () => ({ original_url: URL_SENT }))
    expect(await readNewLinks({ links: many(100) }, schemas)).toHaveLength(100)
    for (const links of [many(0), many(101)]) expect(await fieldsOfMany(links)).toEqual(COUNT)
    for (const links of [undefined, null])
      expect(await fieldsOfMany(links)).toEqual({
        links: ['The links field is required.'],
      })
    for (const links of [{}, '', 'x', 1, true])
      expect(await fieldsOfMany(links)).toEqual({
        links: ['The links must be an array.'],
      })
  })

  test('are read in pieces, and others get a turn in between', async () => {
    let turns = 0
    let isRead = false
    const links = Array.from({ length: 100 }, () => ({ original_url: URL_SENT }))
    const read = readNewLinks({ links }, schemas).finally(() => (isRead = true))
    for (; !isRead; turns++) await new Promise(setImmediate)
    expect([turns >= 19, (await read).length]).toEqual([true, 100])
  })
})

describe('an edit', () => {
  const edit = (input: Record<string, unknown>) => readLinkEdit({ code: 'abc', input }, schemas)
  const refusedEdit = (input: Record<string, unknown>) => fieldsOf(() => edit(input))

  test('what is absent stays as it is', () => {
    expect(edit({})).toEqual({})
  })

  test('what is sent is to change', () => {
    expect(edit({ original_url: URL_SENT })).toEqual({ original_url: DESTINATION })
    expect(edit({ url: URL_SENT })).toEqual({ original_url: DESTINATION })
    expect(edit({ url: URL_SENT, original_url: URL_SENT })).toEqual({ original_url: DESTINATION })
    expect(edit({ title: 'B' })).toEqual({ title: 'B' })
    expect(edit({ is_active: false })).toEqual({ is_active: false })
  })

  test('null clears the title', () => {
    expect(edit({ title: null })).toEqual({ title: '' })
  })

  test('the code may be sent as it is; read-only and unknown fields are not looked at', () => {
    for (const custom_code of ['abc', null]) expect(edit({ custom_code })).toEqual({})
    expect(edit({ id: 'x', short_code: 7, click_count: -1, isActive: 'x' })).toEqual({})
  })

  test('another code is refused, also in another case', () => {
    for (const custom_code of ['abcd', 'ABC', '', 7])
      expect(refusedEdit({ custom_code })).toEqual({ custom_code: ['The custom code cannot be changed.'] })
  })

  test('a destination cannot be taken away, nor be two', () => {
    expect(refusedEdit({ original_url: null })).toEqual({
      original_url: ['The original url must be a string.'],
    })
    expect(refusedEdit({ url: null })).toEqual({ url: ['The url must be a string.'] })
    expect(refusedEdit({ original_url: URL_SENT, url: `${URL_SENT}b` })).toEqual({
      url: ['The url and original url must be the same when both are sent.'],
    })
  })

  test('all errors are said at once', () => {
    expect(refusedEdit({ url: 'x', title: 7, is_active: null, custom_code: 'x' })).toEqual({
      url: ['The url must be a valid URL that starts with http:// or https://.'],
      title: ['The title must be a string.'],
      is_active: ['The is active field must be true or false.'],
      custom_code: ['The custom code cannot be changed.'],
    })
  })
})
