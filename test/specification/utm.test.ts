import { expect, test } from 'bun:test'
import { useCaller } from '../rigs/service-rig.ts'
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
