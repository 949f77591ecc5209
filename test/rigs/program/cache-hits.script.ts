import { test } from 'bun:test'
import { KeepAliveClient } from '../http/keep-alive-client.ts'
import { startServiceRig } from '../service/service-rig.ts'

/** Opens one short URL from the cache: some visits one by one, then rounds of several at once, on open connections. */
test('cache hits', async () => {
  const [alone = 0, rounds = 0, together = 0] = process.env.CACHE_HITS!.split(' ').map(Number)
  const rig = await startServiceRig()
  const { key } = await rig.makeCaller()
  await rig.call('POST', '/api/links', {
    key,
    body: { original_url: 'https://example.com/', custom_code: 'hot-path' },
  })
  const clients = Array.from({ length: Math.max(1, together) }, () => new KeepAliveClient(rig.config.port))
  const visit = async (client: KeepAliveClient) => {
    const headers = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.8' }
    const answer = await client.request({ method: 'GET', path: '/hot-path', headers })
    if (typeof answer === 'string' || answer.status !== 302) throw new Error('No redirect.')
  }
  await Promise.all(clients.map(visit))
  for (let i = 0; i < alone; i++) await visit(clients[0]!)
  for (let i = 0; i < rounds; i++) await Promise.all(clients.map(visit))
  for (const client of clients) client.close()
  await rig.stop()
}, 60_000)
