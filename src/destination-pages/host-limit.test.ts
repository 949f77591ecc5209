import { expect, test } from 'bun:test'
import { PUBLIC_IP, redirectTo, startPageServer } from '../../test/rigs/outside/page-server.ts'
import { clientOf, getText } from '../../test/rigs/outside/guarded-client-rig.ts'
import { Refusal } from '../errors/refusal.ts'
import { manualClock } from '../runtime/clock.ts'
import { HostLimit, OPENINGS_PER_MINUTE } from './host-limit.ts'

test('a host is opened so often a minute by all clients together, also by redirects and for certificates', async () => {
  const server = await startPageServer()
  const clock = manualClock(0)
  const hostLimit = new HostLimit(clock, 'https://s.example')
  const [pages, checks] = [clientOf({ hostLimit }), clientOf({ hostLimit })]
  const at = (host: string, path = '/') => `http://${host}:${server.port}${path}`
  try {
    for (let i = 0; i < OPENINGS_PER_MINUTE; i++) await getText(at('shop.example'), i % 2 ? pages : checks)
    const opened = server.requests.length
    expect(opened).toBe(OPENINGS_PER_MINUTE)
    server.serve('/away', redirectTo(at('SHOP.example.')))
    const refused = [
      () => getText(at('shop.example'), pages),
      () => getText(at('other.example', '/away'), pages),
      () => checks.certificateOf(`https://shop.example:${server.port}`, new AbortController().signal),
    ]
    for (const each of refused) {
      const error = await each().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(Refusal)
      expect(error).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 60 })
    }
    // Only the page that redirects.
    expect(server.requests).toHaveLength(opened + 1)
    expect(await getText(at('third.example'), checks)).toMatchObject({ status: 404 })

    clock.advance(60_000_000)
    expect(await getText(at('shop.example'), pages)).toMatchObject({ status: 404 })
  } finally {
    await server.stop()
  }
})

test('the host of this server itself is opened as often as domains are checked', async () => {
  const hostLimit = new HostLimit(manualClock(0), 'https://s.example')
  for (let i = 0; i <= OPENINGS_PER_MINUTE; i++) hostLimit.count('s.example')
  for (let i = 0; i < OPENINGS_PER_MINUTE; i++) hostLimit.count(PUBLIC_IP)
  expect(() => hostLimit.count(PUBLIC_IP)).toThrow(Refusal)
})
