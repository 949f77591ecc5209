import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { Browser, startDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { freePort } from '../rigs/free-port.ts'
import { runTern, ServerProcess, type Settings } from '../rigs/program/server-process.ts'
import { call } from '../rigs/service/service-rig.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { testSettings } from '../rigs/store/test-store.ts'
import { invalid, refusal } from '../specification/contract-rig.ts'

describe('without a mail server', () => {
  const folders = temporaryFolders()
  let settings: Settings
  let baseUrl: string
  let server: ServerProcess
  let operator: Browser
  let ann: Browser

  beforeAll(startWithUsers)
  afterAll(stopServer)

  test('an invited user signs up with the link that the operator was shown', async () => {
    expect(await ann.succeed('GET', '/session')).toMatchObject({
      email: 'ann@example.com',
      is_verified: true,
    })
    expect(await operator.succeed('GET', '/admin/invitations')).toEqual([])
  })

  test('the operator creates a reset link with their password; it works once, and the log says who created it', async () => {
    const id = await idOf(ann)
    const path = `/admin/users/${id}/reset-link`
    const wrong = await operator.request('POST', path, { password: 'not the password' })
    expect([wrong.status, wrong.body]).toEqual([422, invalid({ password: ['The password is incorrect.'] })])
    const made = await operator.request('POST', path, { password: PASSWORD })
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        email: 'ann@example.com',
        link: expect.stringMatching(new RegExp(`^${baseUrl}/dashboard/reset-password#[\\w-]{43}$`)),
        expires_at: expect.any(String),
      },
    ])
    const hours = (Date.parse(made.body.data.expires_at) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(24)
    const token = tokenOf(made.body.data.link)
    const reset = { token, password: NEXT_PASSWORD }
    expect(await newBrowser().succeed('POST', '/reset-password', reset)).toEqual({ email: 'ann@example.com' })
    expect((await newBrowser().request('POST', '/reset-password', reset)).status).toBe(422)
    expect((await ann.request('GET', '/session')).status).toBe(401)
    expect((await signIn('ann@example.com', NEXT_PASSWORD)).status).toBe(200)
    const lines = server.output.split('\n').filter((line) => line.includes('password reset link'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        time: expect.any(String),
        level: 'info',
        thread: 'api',
        message: 'An operator created a password reset link.',
        operator: await idOf(operator),
        account: id,
      },
    ])
    expect(server.output).not.toContain(token)
  })

  test('the log says who made whom an operator, and a user again', async () => {
    const [{ id }] = await operator.succeed('GET', '/admin/users?search=ann@example.com')
    for (const role of ['admin', 'user'])
      await operator.succeed('PUT', `/admin/users/${id}`, { role, password: PASSWORD })
    const lines = () => server.output.split('\n').filter((line) => line.includes('changed a user'))
    await eventually(
      async () => lines().length,
      (count) => count === 2,
    )
    const about = { message: 'An operator changed a user.', operator: await idOf(operator), account: id }
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      { ...about, role: 'admin' },
      { ...about, role: 'user' },
    ])
  })

  test('there is no reset link for an operator, their own account included, or for an unknown account', async () => {
    const id = await idOf(operator)
    const own = await operator.request('POST', `/admin/users/${id}/reset-link`, { password: PASSWORD })
    expect([own.status, own.body]).toEqual([
      403,
      refusal(
        'operator_required',
        'Reset the password of an operator on the command line: tern account reset-link operator@example.com',
      ),
    ])
    const none = await operator.request('POST', '/admin/users/999999/reset-link', { password: PASSWORD })
    expect([none.status, none.body]).toEqual([404, refusal('account_not_found', 'There is no such account.')])
  })

  test('the command line creates one for any account while the server runs', async () => {
    const { output, exitCode } = await runTern(
      ['account', 'reset-link', 'Operator@example.com', '--json'],
      settings,
    )
    expect(exitCode).toBe(0)
    const { email, link } = JSON.parse(output)
    expect([email, link.split('#')[0]]).toEqual([
      'operator@example.com',
      `${baseUrl}/dashboard/reset-password`,
    ])
    await newBrowser().succeed('POST', '/reset-password', { token: tokenOf(link), password: NEXT_PASSWORD })
    expect((await signIn('operator@example.com', NEXT_PASSWORD)).status).toBe(200)
  })

  async function startWithUsers(): Promise<void> {
    const dataDir = folders.make()
    const port = String(freePort())
    baseUrl = `http://localhost:${port}`
    settings = {
      ...(await testSettings(dataDir)),
      PORT: port,
      HOST: '127.0.0.1',
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      TRUSTED_PROXIES: 'loopback',
      LOG_LEVEL: 'info',
    }
    server = await ServerProcess.start(settings)
    operator = newBrowser()
    const user = { name: 'Olive', email: 'operator@example.com', password: PASSWORD }
    await operator.succeed('POST', '/sign-up', user)
    const { link } = await operator.succeed('POST', '/admin/invitations', { email: 'ann@example.com' })
    ann = newBrowser()
    const invitation = tokenOf(link)
    await ann.succeed('POST', '/sign-up', { ...user, name: 'Ann', email: 'ann@example.com', invitation })
  }

  async function stopServer(): Promise<void> {
    await server.stop()
    folders.remove()
  }

  const newBrowser = () =>
    new Browser({
      config: { baseUrl },
      call: (method, path, options) => call(`http://127.0.0.1:${settings.PORT}${path}`, method, options),
    })

  const signIn = (email: string, password: string) =>
    newBrowser().request('POST', '/session', { email, password })

  const idOf = async (browser: Browser): Promise<number> => (await browser.succeed('GET', '/session')).id
})

test('with a mail server nobody is shown a link: users request theirs on the sign-in page', async () => {
  const rig = await startDashboardRig()
  const operator = (await rig.user()).browser
  const { id } = await (await rig.user()).browser.succeed('GET', '/session')
  const refused = await operator.request('POST', `/admin/users/${id}/reset-link`, { password: PASSWORD })
  expect([refused.status, refused.body]).toEqual([
    409,
    refusal('email_configured', 'This server sends email: people request the link where they sign in.'),
  ])
  await rig.stop()
})

const NEXT_PASSWORD = 'quite another long sentence'
const tokenOf = (link: string) => link.split('#')[1]!
