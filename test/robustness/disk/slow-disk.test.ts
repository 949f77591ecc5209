import { expect, test } from 'bun:test'
import { becomes } from '../../rigs/eventually.ts'
import { hangingDisk } from '../driver/faults.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { startVisits } from '../driver/load.ts'
import { Tern } from '../driver/tern.ts'

/** A disk that is worn out, or shared with too many. */
const WRITE_MS = 100

test('while the journal’s disk hangs everything but redirects works; then every visitor is redirected and counted once', async () => {
  await using tern = await Tern.start({ machine: { writeMs: WRITE_MS } })
  const load = await startVisits(tern, { visitors: 40 })
  await load.continues(200)

  const release = await hangingDisk(tern)
  await becomes(() => tern.health(), 'degraded')
  const { redirects } = load
  // Requests that wait for the journal do not block those that do not need it.
  expect((await tern.api('HEAD', '/first')).status).toBe(302)
  expect((await tern.api('GET', '/unknown')).status).toBe(404)
  expect((await tern.api('POST', '/api/links', { original_url: 'https://example.com/' })).status).toBe(201)
  expect((await tern.api('GET', '/api/links')).status).toBe(200)
  expect(load.redirects).toBe(redirects)

  release()
  await becomes(() => tern.health(), 'ok')
  await expectInvariants(tern)
})
