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
