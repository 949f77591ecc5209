import { describe, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../test/rigs/redirect/plain-route.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { decidePlain, type RouteDecision } from './decide-route.ts'

describe('a route', () => {
  test('of a plain link redirects to its destination', () => {
    expect(decidePlain(PLAIN_ROUTE)).toEqual({ kind: 'destination' })
  })

  test.each<[string, Partial<LinkRoute>, RouteDecision['kind']]>([
    ['that its owner disabled is disabled', { isActive: false }, 'disabled'],
    ['that the operator blocked is blocked', { blockedBy: 'operator' }, 'blocked'],
    ['that leads back to this server is a loop', { blockedBy: 'loop' }, 'loop'],
    ['that is disabled and blocked is blocked', { isActive: false, blockedBy: 'operator' }, 'blocked'],
    ['that is disabled and a loop is disabled', { isActive: false, blockedBy: 'loop' }, 'disabled'],
  ])('%s', (_, change, kind) => {
    expect(decidePlain({ ...PLAIN_ROUTE, ...change })).toEqual({ kind } as RouteDecision)
  })
})
