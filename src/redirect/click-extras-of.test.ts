import { expect, test } from 'bun:test'
import { extrasOf } from './click-extras-of.ts'

const TO = { destination: 'https://example.com/', status: 302, variant: '' } as const
const PLAIN = { variant: '', via: 'link', language: '', utm: '', alias: '' } as const

test('a plain click has no extras, whatever its query', () => {
  for (const query of ['', 'a=1', 'via=mail', 'via=previews', 'a=via=preview', 'qrs', 'a=qr'])
    expect(extrasOf(OWN_CODE, TO, visitWith(query))).toBeUndefined()
})

test('a click from the preview page says so', () => {
  const extras = { ...PLAIN, via: 'preview' } as const
  for (const query of ['via=preview', 'a=1&via=preview'])
    expect(extrasOf(OWN_CODE, TO, visitWith(query))).toEqual(extras)
})

test('a click by a QR code says so', () => {
  const extras = { ...PLAIN, via: 'qr' } as const
  for (const query of ['qr', 'qr=', 'QR=1', 'a=1&qr'])
    expect(extrasOf(OWN_CODE, TO, visitWith(query))).toEqual(extras)
})

test('a click that has a variant says which', () => {
  expect(extrasOf(OWN_CODE, { ...TO, variant: 'fallback' }, visitWith(''))).toEqual({
    ...PLAIN,
    variant: 'fallback',
  })
})

test('a click whose language is known says which', () => {
  expect(extrasOf(OWN_CODE, TO, { ...visitWith(''), language: 'pt' })).toEqual({ ...PLAIN, language: 'pt' })
})

test('a click with UTM parameters of its own has them', () => {
  const utm = 'utm_source=poster'
  expect(extrasOf(OWN_CODE, TO, { ...visitWith(utm), utm })).toEqual({ ...PLAIN, utm })
})

test('a click by an alias says which, and one by the link’s own code says nothing', () => {
  expect(extrasOf(ALIAS, TO, visitWith(''))).toEqual({ ...PLAIN, alias: 'hello' })
})

test('a click from a known city says which, also of a plain link', () => {
  const city = { region: 'Hamburg, DE', name: 'Hamburg, DE' }
  expect(extrasOf(OWN_CODE, TO, { ...visitWith(''), city })).toEqual({ ...PLAIN, city })
})

const OWN_CODE = { code: 'hello' }
const ALIAS = { code: 'hello', isAlias: true } as const
const visitWith = (query: string) => ({ query, utm: '', language: '', city: undefined })
