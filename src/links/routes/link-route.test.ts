import { describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../../test/rigs/redirect/plain-route.ts'
import { routeOptions } from './route-options.ts'
import { decodeRoute, encodeRoute, type LinkRoute, routeFromRow } from './link-route.ts'

const PLAIN: LinkRoute = { ...PLAIN_ROUTE, destination: 'https://example.com/?q=%22"' }
const OPTIONS = routeOptions({
  starts_at: 1,
  expires_at: 2,
  max_clicks: 1_000_000,
  fallback_url: 'https://example.com/over',
  forward_query: 1,
  redirect_status: 308,
  social_title: 'Ü',
})!

test('a row becomes a route', () => {
  const row = {
    code: 'hello',
    domain_id: 0,
    id: 7,
    workspace_id: 3,
    destination: PLAIN.destination,
    is_active: 1,
  }
  expect(routeFromRow(row)).toEqual(PLAIN)
  expect(routeFromRow({ ...row, is_alias: 1 })).toEqual({ ...PLAIN, isAlias: true })
  expect(routeFromRow({ ...row, is_active: 0 })).toEqual({ ...PLAIN, isActive: false })
})

describe('a route as JSON', () => {
  test.each<[string, Partial<LinkRoute>]>([
    ['plain', {}],
    ['on another domain', { domainId: 5 }],
    ['by an alias', { isAlias: true }],
    ['disabled', { isActive: false }],
    ['blocked', { blockedBy: 'operator' }],
    ['a loop', { blockedBy: 'loop' }],
    ['with options', { options: OPTIONS }],
    ['with one option', { options: routeOptions({ expires_at: 7 })! }],
    ['that opens with a path', { options: routeOptions({ forward_path: 1 })! }],
    ['that replaces the query', { options: routeOptions({ forward_query: 2 })! }],
  ])('is the same again: %s', (_, change) => {
    const route = { ...PLAIN, ...change }
    expect(decodeRoute(encodeRoute(route))).toEqual(route)
  })

  test('has its version, and nothing that a plain link has by default', () => {
    const { code, destination } = PLAIN
    expect(JSON.parse(encodeRoute(PLAIN))).toEqual({ v: 1, code, link_id: 7, workspace_id: 3, destination })
  })

  test('has what signs the cookies of a password, and not its hash', () => {
    const options = routeOptions({
      password_hash: '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA',
    })!
    const text = encodeRoute({ ...PLAIN, options })
    expect(decodeRoute(text)).toEqual({ ...PLAIN, options })
    expect(text).not.toContain('argon2')
    expect(routeOptions({ password_hash: '$argon2id$other' })!.passwordKey).not.toBe(options.passwordKey)
  })

  test('ignores what a later version added', () => {
    const json = JSON.parse(encodeRoute(PLAIN))
    expect(decodeRoute(JSON.stringify({ ...json, later: true }))).toEqual(PLAIN)
  })

  test.each([
    ['of a later version', { v: 3 }],
    ['with options that it does not have', { v: 2 }],
    ['with an option of another type', { v: 2, options: { expires_at: 'soon' } }],
    ['with a forwarding of a later version', { v: 2, options: { forward_query: 3 } }],
    ['with a fallback that is no URL', { v: 2, options: { fallback_url: 'over' } }],
    ['without a version', { v: undefined }],
    ['with a domain as text', { domain_id: '5' }],
    ['without a code', { code: undefined }],
    ['with a code that is no text', { code: 1 }],
    ['with half an ID', { link_id: 7.5 }],
    ['with an ID as text', { workspace_id: '3' }],
    ['without a destination', { destination: undefined }],
    ['whose destination is no URL', { destination: 'example.com' }],
    ['that says neither that it is active nor that it is not', { is_active: 1 }],
    ['blocked by an unknown party', { blocked_by: 'moon' }],
  ])('is refused %s', (_, change) => {
    const json = { ...JSON.parse(encodeRoute({ ...PLAIN, isActive: false })), ...change }
    expect(decodeRoute(JSON.stringify(json))).toBeUndefined()
  })

  test.each(['', '{"v":1', 'null', '7', '[]'])('is refused when it is %j', (text) => {
    expect(decodeRoute(text)).toBeUndefined()
  })
})
