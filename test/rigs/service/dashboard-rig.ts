import { expect } from 'bun:test'
import type { MemberRole } from '../../../src/access/roles-and-scopes.ts'
import { deviceName } from '../../../src/clicks/visitor/read-user-agent.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { enter } from '../../../src/users/sign-in/sign-in.ts'
import type { Config } from '../../../src/config/config.ts'
import type { ServiceOptions } from '../../../src/cli/service/open-service.ts'
import { eventually } from '../eventually.ts'
import { type MailServer, partsOf, startMailServer } from '../outside/mail-server.ts'
import { addUser } from './add-user.ts'
import { type ServiceRig, startServiceRig, type TestAnswer } from './service-rig.ts'
import { onceForAll, usePrepared, useRig } from '../use-rig.ts'

/** A complete service with a mail server, behind a proxy that reports client IPs. */
export type DashboardRig = ServiceRig & {
  mailServer: MailServer
  /** A browser without cookies. */
  browser(options?: BrowserOptions): Browser
  /** A user who has signed up, confirmed the email and signed in. */
  user(options?: TestUserOptions): Promise<TestUser>
  /** The next email to an address, waited for. */
  mailTo(email: string): Promise<{ subject: string; text: string; html: string; token: string }>
}

export type BrowserOptions = { ip?: string; userAgent?: string }
type TestUserOptions = BrowserOptions & { email?: string }
/** `workspaceId`: where they work. */
export type TestUser = { browser: Browser; email: string; name: string; userId: number; workspaceId: number }

let users = 0
let networks = 0

/** Each browser has its own network, a /24. */
const newIp = () => `10.${++networks >> 8}.${networks & 255}.7`

/** One for all suites of a process, as `useServiceRig`. */
export const useDashboardRig = (): DashboardRig => usePrepared(sharedDashboardRig)

const sharedDashboardRig = onceForAll(startDashboardRig)

export const useOwnDashboardRig = (
  settings?: Record<string, string>,
  options?: ServiceOptions,
): DashboardRig => useRig(() => startDashboardRig(settings, options))

export const useUser = (rig: DashboardRig, options?: TestUserOptions): TestUser =>
  usePrepared(() => rig.user(options))

export async function startDashboardRig(
  settings: Record<string, string> = {},
  options?: ServiceOptions,
): Promise<DashboardRig> {
  const mailServer = await startMailServer()
  const own = {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Tern <tern@s.example>',
    TRUSTED_PROXIES: 'loopback',
  }
  const rig = await startServiceRig({ ...own, ...settings }, options)
  const read = new Set<string>()
  const mailTo = (email: string) => nextMail(mailServer, read, email)
  const browser = (options?: BrowserOptions) => new Browser(rig, options)
  return {
    ...rig,
    mailServer,
    browser,
    mailTo,
    user: ({ email = `user${++users}@example.com`, ...options } = {}) =>
      signedInUser(rig, email, browser(options)),
    async stop() {
      await rig.stop()
      await mailServer.stop()
    },
  }
}

/** Each email is returned once, so that the next call waits for the next one. */
async function nextMail(server: MailServer, read: Set<string>, email: string) {
  const unread = () => server.mails.find(({ to, source }) => to.includes(email) && !read.has(source))
  const mail = await eventually(
    async () => unread(),
    (found) => found !== undefined,
  )
  if (mail === undefined) throw new Error(`No mail came to ${email}.`)
  read.add(mail.source)
  const { headers, text, html } = partsOf(mail.source)
  return {
    subject: /^Subject: (.*)$/m.exec(headers)![1]!.trim(),
    text,
    html,
    token: /#([\w-]+)/.exec(text)?.[1] ?? '',
  }
}

/** In the state after sign-up, confirmation and sign-in, whose requests have tests of their own. */
async function signedInUser(rig: ServiceRig, email: string, browser: Browser): Promise<TestUser> {
  const deps = { db: rig.store.db, clock: systemClock }
  const name = `User ${email.split('@')[0]}`
  const { userId, workspaceId } = await addUser(deps, { name, email })
  const token = await enter(deps, { userId, device: browser.device })
  browser.cookies.set(rig.config.baseUrl.startsWith('https:') ? '__Host-session' : 'session', token!)
  return { browser, email, name, userId, workspaceId }
}

/** A user who works in the owner's workspace, and has no own. */
export async function memberOf(rig: DashboardRig, owner: TestUser, role: MemberRole): Promise<TestUser> {
  const member = await rig.user()
  await rig.store.db.deleteFrom('members').where('user_id', '=', member.userId).execute()
  const joined = { workspace_id: owner.workspaceId, user_id: member.userId, role, joined_at: 1 }
  await rig.store.db.insertInto('members').values(joined).execute()
  return { ...member, workspaceId: owner.workspaceId }
}

/** What a browser sends requests to: a whole service, or a process of its own. */
type RequestTarget = Pick<ServiceRig, 'call'> & { config: Pick<Config, 'baseUrl'> }

/** Sends what a browser on our own pages sends, and keeps its cookies. */
export class Browser {
  readonly ip: string
  readonly cookies = new Map<string, string>()
  readonly #rig: RequestTarget
  readonly #userAgent: string

  constructor(rig: RequestTarget, { ip = newIp(), userAgent = FIREFOX_ON_LINUX }: BrowserOptions = {}) {
    this.#rig = rig
    this.ip = ip
    this.#userAgent = userAgent
  }

  /** A request to /dashboard/api, with headers that a test overrides. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<TestAnswer> {
    const sent = {
      ...this.headers(),
      'Sec-Fetch-Site': 'same-origin',
      Origin: this.#rig.config.baseUrl,
      ...headers,
    }
    const answer = await this.#rig.call(method, `/dashboard/api${path}`, {
      body,
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as any,
    })
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie)
    return answer
  }

  /** Sends a request that must succeed, and returns its data. */
  async succeed(method: string, path: string, body?: unknown): Promise<any> {
    const { status, body: answer } = await this.request(method, path, body)
    expect({ path, status, answer }).toMatchObject({ answer: { success: true } })
    return answer.data
  }

  headers(): Record<string, string | undefined> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return {
      'X-Forwarded-For': this.ip,
      'User-Agent': this.#userAgent,
      Cookie: cookie === '' ? undefined : cookie,
    }
  }

  /** As sessions name it. */
  get device(): string {
    return deviceName(this.#userAgent)
  }

  get isSignedIn(): boolean {
    return this.cookies.has('session') || this.cookies.has('__Host-session')
  }

  #keep(header: string): void {
    const [pair = '', ...attributes] = header.split('; ')
    const [name = '', value = ''] = pair.split('=')
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

const FIREFOX_ON_LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const SAFARI_ON_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
