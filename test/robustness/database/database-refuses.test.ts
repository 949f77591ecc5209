import { beforeAll, describe, expect, test } from 'bun:test'
import { becomes } from '../../rigs/eventually.ts'
import { KeepAliveClient } from '../../rigs/http/keep-alive-client.ts'
import { PASSWORD } from '../../rigs/service/add-user.ts'
import { readOnlyDatabase, REFUSALS, refusedLogin } from '../driver/faults.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

const UNSTORABLE = 'Nothing can be stored at the moment. Try again in a few seconds.'

describe.skipIf(lacks('a database that refuses', 'postgresql'))('while PostgreSQL refuses', () => {
  const tern = useTern({ postgres: { hasUser: true } })
  let cookie = ''

  beforeAll(async () => {
    await tern.makeLinks('known', 'other')
    const session = { email: tern.operator.email, password: PASSWORD }
    const { headers } = await dashboard('POST', '/session', session)
    cookie = String(headers['set-cookie']).split(';', 1)[0]!
  })

  test.each(Object.entries(REFUSALS))(
    '%s, callers and visitors get 503, and all is well afterwards',
    async (_, refuse) => {
      expect(await tern.visit('known')).toBe(302)
      const admit = await refuse(tern)
      const answers = await Promise.all([
        tern.api('GET', `/${crypto.randomUUID().slice(0, 8)}`),
        ...PATHS.map((path) => tern.api('GET', path)),
        tern.api('POST', '/api/links', CREATION),
        dashboard('POST', '/session', { email: tern.operator.email, password: 'wrong' }),
        ...DASHBOARD_PATHS.map((path) => dashboard('GET', path)),
      ])
      expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
        answers.map(() => [503, '5']),
      )
      expect(await tern.visit('known')).toBe(302)
      await becomes(() => tern.health(), 'degraded')
      await admit()
      await becomes(() => tern.health(), 'ok')
      await becomes(async () => (await tern.api('POST', '/api/links', CREATION)).status, 201)
    },
  )

  test('reads and writes are refused in words of their own', async () => {
    const admit = await refusedLogin(tern)
    const messageOf = async (method: string, body?: unknown) =>
      JSON.parse((await tern.api(method, '/api/links', body)).body).message
    expect(await messageOf('GET')).toBe(UNREADABLE)
    expect(await messageOf('POST', CREATION)).toBe(UNSTORABLE)
    await admit()
    await becomes(() => tern.health(), 'ok')
  })

  test('only changes, reads are answered, and the health check knows without anybody trying one', async () => {
    const allowChanges = await readOnlyDatabase(tern)
    await becomes(() => tern.health(), 'degraded')
    expect((await tern.api('GET', '/api/info/other')).status).toBe(200)
    const refused = await tern.api('POST', '/api/links', CREATION)
    expect([refused.status, JSON.parse(refused.body).message]).toEqual([503, UNSTORABLE])
    await allowChanges()
    await becomes(() => tern.health(), 'ok')
  })

  test('a node that starts serves what it knows, and the rest once it is let in', async () => {
    expect(await tern.visit('known')).toBe(302)
    await tern.stopAll()
    const admit = await refusedLogin(tern)
    await tern.start()
    expect(await tern.visit('known')).toBe(302)
    expect(await tern.visit('never-made')).toBe(503)
    expect((await tern.api('GET', '/api/links')).status).toBe(503)
    await becomes(() => tern.health(), 'degraded')
    expect(tern.nodes[0]!.server!.output).toContain(
      'PostgreSQL does not accept this machine as the user of DATABASE_URL',
    )
    await admit()
    await becomes(() => tern.health(), 'ok')
    await becomes(() => tern.visit('never-made'), 404)
  })

  async function dashboard(method: string, path: string, body?: unknown) {
    const client = new KeepAliveClient(tern.operator.port)
    const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie }
    const answer = await client.request({ method, path: `/dashboard/api${path}`, headers, body })
    client.close()
    if (typeof answer === 'string') throw new Error(answer)
    return answer
  }
})

const CREATION = { original_url: 'https://example.com/' }
const PATHS = ['/api/links', '/api/links/other', '/api/analytics/overview', '/api/account', '/api/info/other']
const DASHBOARD_PATHS = ['/session', '/links', '/analytics', '/live']
const UNREADABLE = 'The database cannot be read at the moment. Try again in a few seconds.'
