import { expect, test } from 'bun:test'
import { routeOptions, type RouteOptions } from '../links/routes/route-options.ts'
import { extrasOf } from './click-extras-of.ts'

const TO = { destination: 'https://example.com/', status: 302, variant: '' } as const
const forwarding = routeOptions({ forward_query: 1 })
const PLAIN = { variant: '', via: 'link', language: '', alias: '' } as const

test('a plain click has no extras, whatever its query', () => {
  for (const query of ['', 'a=1', 'via=mail', 'via=previews', 'a=via=preview', 'qrs', 'a=qr'])
    expect(extrasOf(routeWith(undefined), TO, visitWith(query))).toBeUndefined()
})

test('a click from the preview page says so', () => {
  const extras = { ...PLAIN, via: 'preview' } as const
  for (const query of ['via=preview', 'a=1&via=preview'])
    expect(extrasOf(routeWith(undefined), TO, visitWith(query))).toEqual(extras)
})

test('a click by a QR code says so', () => {
  const extras = { ...PLAIN, via: 'qr' } as const
  for (const query of ['qr', 'qr=', 'QR=1', 'a=1&qr'])
    expect(extrasOf(routeWith(undefined), TO, visitWith(query))).toEqual(extras)
})

test('the query itself is never journaled, also where a link forwards it', () => {
  expect(extrasOf(routeWith(forwarding), TO, visitWith('a=1'))).toBeUndefined()
})

test('a click that has a variant says which', () => {
  expect(extrasOf(routeWith(forwarding), { ...TO, variant: 'fallback' }, visitWith(''))).toEqual({
    ...PLAIN,
    variant: 'fallback',
  })
})

test('a link that asks for the language journals it', () => {
  const languages = () => ['pt-br', 'de']
  const rules = (when: object) => JSON.stringify([{ when, to: 'https://example.com/' }])
  const extrasWith = (when: object) =>
    extrasOf(routeWith(routeOptions({ rules: rules(when) })), TO, {
      visit: { query: '', languages },
      city: undefined,
    })
  expect(extrasWith({ country: ['DE'] })).toBeUndefined()
  expect(extrasWith({ language: ['fr'] })).toEqual({ ...PLAIN, language: 'pt' })
})

test('a click by an alias says which, and one by the link’s own code says nothing', () => {
  expect(extrasOf(routeWith(undefined, true), TO, visitWith(''))).toEqual({ ...PLAIN, alias: 'hello' })
  expect(extrasOf(routeWith(forwarding, true), TO, visitWith('a=1'))).toEqual({
    ...PLAIN,
    alias: 'hello',
  })
})

test('a click from a known city says which, also of a plain link', () => {
  const city = { region: 'Hamburg, DE', name: 'Hamburg, DE' }
  expect(extrasOf(routeWith(undefined), TO, { ...visitWith(''), city })).toEqual({ ...PLAIN, city })
})

const routeWith = (options: RouteOptions | undefined, isAlias = false) => ({
  options,
  code: 'hello',
  ...(isAlias && { isAlias }),
})
const visitWith = (query: string) => ({ visit: { query }, city: undefined })
