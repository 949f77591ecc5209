import { expect } from 'bun:test'
import type { Config } from '../../src/config.ts'
import { type MailServer, partsOf, startMailServer } from './mail-server.ts'
import { eventually, type ServiceRig, startServiceRig, type TestAnswer } from './service-rig.ts'

export const PASSWORD = 'correct horse battery staple'

/** A whole service with a mail server beside it, behind a proxy that says where people come from. */
export type DashboardRig = ServiceRig & {
  mailServer: MailServer
  /** Somebody at a browser that has never been here. */
  browser(options?: BrowserOptions): Browser
  /** Somebody who has signed up, has read the mail and is signed in. */
  person(options?: PersonOptions): Promise<Person>
  /** The latest mail to an address, waited for. */
  mailTo(email: string): Promise<{ subject: string; text: string; html: string; token: string }>
}

export type BrowserOptions = { ip?: string; userAgent?: string }
export type PersonOptions = BrowserOptions & { email?: string }
export type Person = { browser: Browser; email: string; name: string }

let people = 0
let networks = 0

/** Each browser comes from a network of its own, a /24. */
const newIp = () => `10.${++networks >> 8}.${networks & 255}.7`

export async function startDashboardRig(settings: Record<string, string> = {}): Promise<DashboardRig> {
  const mailServer = await startMailServer()
  const rig = await startServiceRig({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Tern <tern@s.example>',
    TRUSTED_PROXIES: 'loopback',
    ...settings,
  })
  const read = new Set<string>()
  const mailTo = (email: string) => nextMail(mailServer, read, email)
  const browser = (options?: BrowserOptions) => new Browser(rig, options)
  return {
    ...rig,
    mailServer,
    browser,
    mailTo,
    person: (options) => makePerson({ browser, mailTo }, options),
    async stop() {
      await rig.stop()
      await mailServer.stop()
    },
  }
}

/** Each mail is handed out once, so that the next one is waited for. */
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

async function makePerson(
  { browser, mailTo }: Pick<DashboardRig, 'browser' | 'mailTo'>,
  { email = `person${++people}@example.com`, ...options }: PersonOptions = {},
): Promise<Person> {
  const own = browser(options)
  const name = `Person ${email.split('@')[0]}`
  await own.succeed('POST', '/sign-up', { name, email, password: PASSWORD })
  const { token } = await mailTo(email)
  await own.succeed('POST', '/verify-email', { token })
  await own.succeed('POST', '/session', { email, password: PASSWORD })
  return { browser: own, email, name }
}

/** Where a browser goes: a whole service, or a process of its own. */
type Place = Pick<ServiceRig, 'call'> & { config: Pick<Config, 'baseUrl'> }

/** What a browser at one of our own pages sends, and the cookies that it keeps. */
export class Browser {
  readonly ip: string
  readonly cookies = new Map<string, string>()
  readonly #rig: Place
  readonly #userAgent: string

  constructor(rig: Place, { ip = newIp(), userAgent = FIREFOX_ON_LINUX }: BrowserOptions = {}) {
    this.#rig = rig
    this.ip = ip
    this.#userAgent = userAgent
  }

  /** A request to /dashboard/api, with the headers that a test wants otherwise. */
  async ask(
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

  /** Asks, and gives the data of the answer, which must be a success. */
  async succeed(method: string, path: string, body?: unknown): Promise<any> {
    const { status, body: answer } = await this.ask(method, path, body)
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
