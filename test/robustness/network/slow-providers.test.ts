import { afterEach, expect, test } from 'bun:test'
import { startSingleSignOnRig } from '../../rigs/outside/oidc-server.ts'
import { comeBack, finish, link, newAccount, signInWith } from '../../rigs/outside/provider-sign-in.ts'
import { useRig } from '../../rigs/use-rig.ts'

const rig = useRig(() => startSingleSignOnRig())
afterEach(() => {
  rig.provider.stall = undefined
})

const DISCOVERY = '/.well-known/openid-configuration'
const AWAY = 'Test provider cannot be reached at the moment. Try again in a few seconds.'

test.each(['nothing', 'half'] as const)(
  'a provider whose discovery document does not come (%s of it) is given up, and the rest goes on',
  async (sends) => {
    const [browser, other] = [rig.browser(), await rig.user()]
    const query = await comeBack(rig, browser, newAccount())
    rig.provider.stall = { path: DISCOVERY, sends }
    const waiting = [
      rig.browser().request('POST', '/session/provider', { provider: 'test' }),
      finish(browser, query),
    ]
    expect((await other.browser.succeed('GET', '/session')).email).toBe(other.email)
    for (const answer of await Promise.all(waiting)) expectAway(answer)
    expect(browser.isSignedIn).toBe(false)
  },
)

test.each(['nothing', 'half'] as const)(
  'a provider whose tokens do not come (%s of them) is given up; nobody is created, signed in or linked',
  async (sends) => {
    const [browser, account] = [rig.browser(), newAccount()]
    const [linking, linked] = [await rig.user(), newAccount()]
    const query = await comeBack(rig, browser, account)
    rig.provider.account = linked
    rig.provider.stall = { path: '/token', sends }
    const answers = await Promise.all([finish(browser, query), link(rig, linking, linked)])
    for (const answer of answers) expectAway(answer)
    expect(browser.isSignedIn).toBe(false)
    const users = rig.store.db.selectFrom('users').select('id').where('email', '=', account.email)
    expect(await users.execute()).toEqual([])
    expect((await linking.browser.succeed('GET', '/identities')).identities).toEqual([])

    // What came back was used. From the beginning, it works as soon as the provider answers again.
    rig.provider.stall = undefined
    expect((await finish(browser, query)).status).toBe(422)
    expect((await signInWith(rig, browser, account)).status).toBe(200)
    expect((await link(rig, linking, linked)).status).toBe(200)
  },
)

test('a provider whose keys do not come is given up', async () => {
  const browser = rig.browser()
  const query = await comeBack(rig, browser, newAccount())
  rig.provider.stall = { path: '/jwks', sends: 'nothing' }
  expectAway(await finish(browser, query))
  expect(browser.isSignedIn).toBe(false)
})

type Answer = Awaited<ReturnType<typeof finish>>

const expectAway = ({ status, body, headers }: Answer) => {
  expect({ status, message: body.message }).toEqual({ status: 503, message: AWAY })
  expect(headers.get('retry-after')).toBe('10')
}
