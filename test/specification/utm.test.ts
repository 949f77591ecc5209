import { expect, test } from 'bun:test'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, makeLink, open, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const NOTHING = { source: null, medium: null, campaign: null, term: null, content: null }
const create = (body: object) => rig.call('POST', '/api/links', { key: caller.key, body })
const edit = (code: string, body: unknown) => rig.call('PUT', `/api/links/${code}`, { key: caller.key, body })
const read = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data

test('UTM parameters become part of the destination, and are read from it', async () => {
  const sent = { source: 'news letter', campaign: 'ümlaut' }
  const link = await makeLink(rig, caller, { original_url: `${DESTINATION}?a=1#top`, utm: sent })
  const original_url = `${DESTINATION}?a=1&utm_source=news%20letter&utm_campaign=%C3%BCmlaut#top`
  expect(link).toMatchObject({ original_url, utm: { ...NOTHING, ...sent } })
  expect((await open(rig, link.short_code)).headers.get('location')).toBe(original_url)
  const bulk = await rig.call('POST', '/api/bulk-shorten', {
    key: caller.key,
    body: { links: [{ url: DESTINATION, utm: sent }, { url: `${DESTINATION}?utm_term=x` }] },
  })
  expect(bulk.body.data.map(({ utm }: { utm: unknown }) => utm)).toEqual([
    { ...NOTHING, ...sent },
    { ...NOTHING, term: 'x' },
  ])
})

test('an edit changes those that it names, in the stored destination or in the new one', async () => {
  const { short_code } = await makeLink(rig, caller, { utm: { source: 'a', medium: 'b' } })
  expect((await edit(short_code, { utm: { source: 'c', medium: null } })).status).toBe(200)
  expect(await read(short_code)).toMatchObject({
    original_url: `${DESTINATION}?utm_source=c`,
    utm: { ...NOTHING, source: 'c' },
  })
  expect((await open(rig, short_code)).headers.get('location')).toBe(`${DESTINATION}?utm_source=c`)
  const search = await rig.call('GET', '/api/links?search=utm_source%3Dc', { key: caller.key })
  expect(search.body.meta.total).toBe(1)
  await edit(short_code, { url: 'https://example.org/?utm_source=d', utm: { term: 'e' } })
  expect((await read(short_code)).original_url).toBe('https://example.org/?utm_source=d&utm_term=e')
  await edit(short_code, { utm: null, title: 'Named' })
  expect((await read(short_code)).original_url).toBe('https://example.org/?utm_source=d&utm_term=e')
})

test('a program that reads a link, changes its destination and writes it back gets that destination', async () => {
  const stored = `${DESTINATION}?utm_source=a+b&utm_medium=c`
  const { short_code: code } = await makeLink(rig, caller, { original_url: stored })
  const writeBack = async (change: object) => {
    const link = await read(code)
    const { status } = await edit(code, { ...link, aliases: undefined, ...change })
    expect(status).toBe(200)
    return (await read(code)).original_url
  }
  expect(await writeBack({ title: 'Named' })).toBe(stored)
  expect(await writeBack({ original_url: `${DESTINATION}/2?utm_source=d` })).toBe(
    `${DESTINATION}/2?utm_source=d`,
  )
  const changed = { ...NOTHING, source: 'e', term: 'f' }
  const plain = `${DESTINATION}/3`
  expect(await writeBack({ original_url: plain, utm: changed })).toBe(`${plain}?utm_source=e&utm_term=f`)
  expect(await writeBack({ original_url: plain })).toBe(plain)
  expect(await writeBack({ original_url: stored })).toBe(stored)
  // Parameters that are no copy of all five are meant.
  await edit(code, { original_url: plain, utm: { source: 'a b', medium: 'c' } })
  expect((await read(code)).original_url).toBe(`${plain}?utm_source=a%20b&utm_medium=c`)
})

test('parameters that are there already leave the destination as it was written', async () => {
  const original_url = `${DESTINATION}?utm_source=a+b#x`
  const { short_code: code } = await makeLink(rig, caller, { original_url })
  await edit(code, { utm: (await read(code)).utm })
  expect((await read(code)).original_url).toBe(original_url)
})

test('parameters that are too long, or make the destination too long, are refused by name', async () => {
  const { short_code } = await makeLink(rig, caller)
  const cases: [utm: unknown, errors: Record<string, string[]>][] = [
    ['source=a', { utm: ['The utm must be an object.'] }],
    [{ source: 1 }, { 'utm.source': ['The source must be a string.'] }],
    [{ term: 'a'.repeat(201) }, { 'utm.term': ['The term may not be greater than 200 characters.'] }],
    [{ content: 'a\nb' }, { 'utm.content': ['The content may not contain control characters.'] }],
  ]
  for (const [utm, errors] of cases)
    for (const answer of [await create({ url: DESTINATION, utm }), await edit(short_code, { utm })])
      expect([answer.status, answer.body.errors]).toEqual([422, errors])

  const utm = { source: '鳥'.repeat(200) }
  const long = `https://example.com/${'a'.repeat(7_000)}`
  const tooLong = 'may not be greater than 8192 characters.'
  expect((await create({ original_url: long, utm })).body.errors).toEqual({
    original_url: [`The original url ${tooLong}`],
  })
  const { short_code: longCode } = await makeLink(rig, caller, { original_url: long })
  expect((await edit(longCode, { utm })).body.errors).toEqual({ utm: [`The utm ${tooLong}`] })
  expect((await read(longCode)).original_url).toBe(long)
})
