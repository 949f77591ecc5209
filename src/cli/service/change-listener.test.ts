import { expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../../test/rigs/redirect/plain-route.ts'
import { readConfig } from '../../config/config.ts'
import { LinkCache } from '../../links/routes/link-cache.ts'
import {
  KeptRedirectState,
  NO_REDIRECT_STATE,
  type RedirectState,
} from '../../links/routes/redirect-state.ts'
import { newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import { changeListener } from './change-listener.ts'

const blocking = (...hosts: string[]): RedirectState => ({
  ...NO_REDIRECT_STATE,
  blockList: { ...NO_REDIRECT_STATE.blockList, hosts },
})

test('a state that was read early and arrives late does not stay', () => {
  const kept = new KeptRedirectState(readConfig({}), NO_REDIRECT_STATE)
  const { blocks, domains } = kept
  const routes = { get: () => PLAIN_ROUTE, forget() {} }
  const metrics = openMetrics(newSharedMetrics())
  const links = new LinkCache({ routes, ownHosts: domains, blocks, metrics }, 10)
  const stored = blocking('one.example', 'another.example')
  const listener = changeListener(links, kept, { readStateAgain: () => listener.onState(stored) })

  // Another node has blocked a second host, and the change is here before the API thread's older look.
  listener.onState(stored)
  listener.onState(blocking('one.example'))

  expect(blocks.isHostBlocked('another.example')).toBe(true)
})

test('what workspaces do not count changes without emptying the link cache', () => {
  const kept = new KeptRedirectState(readConfig({}), NO_REDIRECT_STATE)
  const { blocks, domains, ownTraffic } = kept
  const routes = { get: () => PLAIN_ROUTE, forget() {} }
  const metrics = openMetrics(newSharedMetrics())
  const links = new LinkCache({ routes, ownHosts: domains, blocks, metrics }, 10)
  const listener = changeListener(links, kept, { readStateAgain() {} })
  void links.get(PLAIN_ROUTE)
  const excluding = { workspaceId: 3, cookieKey: null, networks: ['203.0.113.0/24'] }
  listener.onState({ ...NO_REDIRECT_STATE, ownTraffic: [excluding] })
  const visitor = { ip: '203.0.113.7', header: () => null }
  const excludes = (workspaceId: number) => ownTraffic.byWorkspace.get(workspaceId)?.excludes(visitor)
  expect([excludes(3), excludes(4), links.size]).toEqual([true, undefined, 1])
  listener.onState({ ...blocking('one.example'), ownTraffic: [] })
  expect([excludes(3), links.size]).toEqual([undefined, 0])
})
