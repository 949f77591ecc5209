import { Hono } from 'hono'
import type { Link } from '../../dashboard/api-client.ts'
import type { BuiltDashboard } from '../../src/http/dashboard/built-dashboard.ts'
import { addDashboard } from '../../src/http/dashboard/dashboard-site.ts'
import type { AppEnv } from '../../src/http/answer-endpoint.ts'
import { securityHeaders } from '../../src/http/security-headers.ts'
import { qrSvg } from '../../src/qr/draw-qr.ts'
import { parseQrQuery } from '../../src/qr/qr-query.ts'
import * as recorded from './recorded-answers.data.ts'

/** What a test wants answered instead of the recorded answer. `hold` lets the request wait until the test says so. */
type Instead = { status: number; body: object; headers?: Record<string, string>; hold?: Promise<unknown> }

export type RecordedServer = {
  url: string
  /** Every request to the endpoints, as `METHOD /path` with its body. */
  requests: { line: string; body: unknown }[]
  /** From now on, until taken back by undefined. */
  answer(line: string, instead: Instead | undefined): void
  links: Link[]
  setSession(session: typeof recorded.session): void
  /** One click, as the stream of the service would tell it. */
  tellClick(click: object): void
  stop(): Promise<void>
}

const data = (value: unknown, rest: object = {}) => ({ success: true, message: 'OK', data: value, ...rest })
const refusal = (message: string, errors: object = {}) => ({ success: false, message, errors })

/**
 * Test material: the dashboard as it is served, with its headers, over endpoints that answer in recorded shapes. It
 * shows how the pages behave, not how the service does.
 */
export function startRecordedServer(built: BuiltDashboard): RecordedServer {
  const requests: RecordedServer['requests'] = []
  const instead = new Map<string, Instead>()
  const streams = new Set<ReadableStreamDefaultController<string>>()
  const state = { links: structuredClone(recorded.links), session: recorded.session }
  const app = new Hono<AppEnv>()
  app.use(async (context, next) => {
    for (const [name, value] of securityHeaders(context.req.path, 'http://localhost'))
      context.header(name, value)
    await next()
  })
  addDashboard(app, built)
  app.get('/qr/:code', (context) => {
    const { style } = parseQrQuery(context.req.queries())
    return context.body(qrSvg(`https://go.example.com/${context.req.param('code')}`, style), 200, {
      'Content-Type': 'image/svg+xml',
    })
  })
  app.get('/dashboard/api/live', (context) => {
    const { readable, controller } = openStream(streams)
    context.req.raw.signal.addEventListener('abort', () => streams.delete(controller))
    return context.body(readable.pipeThrough(new TextEncoderStream()) as never, 200, {
      'Content-Type': 'text/event-stream',
    })
  })
  app.all('/dashboard/api/*', async (context) => {
    const path = context.req.path.replace('/dashboard/api', '')
    const line = `${context.req.method} ${path}`
    const body = await context.req.json().catch(() => undefined)
    requests.push({ line, body })
    const wanted = instead.get(line)
    await wanted?.hold
    if (wanted && wanted.status !== 0) return context.json(wanted.body, wanted.status as 200, wanted.headers)
    const [status, answer] = recordedAnswer(state, { line, path, body, query: context.req.query() })
    return context.json(answer, status as 200)
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    development: false,
    fetch: (request) => app.fetch(request),
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    answer: (line, answer) => void (answer ? instead.set(line, answer) : instead.delete(line)),
    links: state.links,
    setSession: (session) => void (state.session = session),
    tellClick: (click) =>
      streams.forEach((stream) => stream.enqueue(`event: click\ndata: ${JSON.stringify(click)}\n\n`)),
    stop: () => server.stop(true),
  }
}

function openStream(streams: Set<ReadableStreamDefaultController<string>>) {
  let controller!: ReadableStreamDefaultController<string>
  const readable = new ReadableStream<string>({
    start(own) {
      controller = own
      streams.add(own)
      own.enqueue(': open\n\n')
    },
    cancel: () => void streams.delete(controller),
  })
  return { readable, controller }
}

type State = { links: Link[]; session: typeof recorded.session }
type Asked = { line: string; path: string; body: any; query: Record<string, string> }

const FIXED: Record<string, unknown> = {
  'GET /analytics/overview': data(recorded.overview),
  'GET /analytics': data(recorded.analyticsOf(30, 900), { meta: {} }),
  'GET /api-keys': data(recorded.keys),
  'POST /api-keys': data({ ...recorded.keys[0], secret: `tern_${'a1B2c3D4'.repeat(5).slice(0, 38)}` }),
  'GET /usage': data(recorded.usage),
  'GET /account': data(recorded.account),
  'GET /account/sessions': data(recorded.sessions),
  'GET /admin/accounts': data(recorded.adminAccounts, {
    meta: { current_page: 1, last_page: 1, per_page: 25, total: 4 },
  }),
  'GET /admin/blocked-hosts': data(recorded.blockedHosts),
  'POST /sign-in': data({ needs_code: false }),
  'POST /sign-up': data({ is_signed_in: false }),
  'POST /account/two-factor/begin': data({
    secret: 'JBSW Y3DP EHPK 3PXP',
    qr_svg: qrSvg('otpauth://totp/Tern:ada@example.com?secret=JBSWY3DPEHPK3PXP', parseQrQuery({}).style),
  }),
  'POST /account/two-factor': data({
    recovery_codes: Array.from({ length: 8 }, (_, i) => `k7d${i}-9fq${i}`),
  }),
}

function recordedAnswer(state: State, asked: Asked): [status: number, body: object] {
  const { line, path, body, query } = asked
  if (line === 'GET /session') return [200, data(state.session)]
  if (Object.hasOwn(FIXED, line)) return [200, FIXED[line] as object]
  if (line === 'GET /links') return [200, listOf(state.links, query)]
  if (line === 'POST /links') return create(state.links, body)
  if (line === 'POST /bulk-shorten/check') return [200, data({ errors: bulkErrors(body.links) })]
  if (line === 'POST /bulk-shorten') {
    const made = body.links.map((each: any) => create(state.links, each)[1])
    return [201, { ...data(made.map((each: any) => each.data)), count: made.length }]
  }
  if (path.startsWith('/codes/')) return [200, data({ is_free: !path.endsWith('/launch'), reason: null })]
  if (path.startsWith('/analytics/links/')) {
    return [
      200,
      data({ ...recorded.analyticsOf(30, 420), link: { short_code: path.slice(17) } }, { meta: {} }),
    ]
  }
  const link = state.links.find(({ short_code }) => path === `/links/${short_code}`)
  if (path.startsWith('/links/') && link === undefined) return [404, refusal('Link not found.')]
  if (link !== undefined && line.startsWith('PUT')) Object.assign(link, body)
  if (link !== undefined && line.startsWith('DELETE')) state.links.splice(state.links.indexOf(link), 1)
  return [200, data(link ?? null)]
}

const PER_PAGE = 25

function listOf(links: Link[], { search = '', status, page = '1', sort }: Record<string, string>): object {
  const found = links
    .filter(({ title, original_url }) =>
      `${title} ${original_url}`.toLowerCase().includes(search.toLowerCase()),
    )
    .filter(({ is_active }) => status === undefined || is_active === (status === 'active'))
  if (sort === 'clicks') found.sort((a, b) => b.click_count - a.click_count)
  const from = (Number(page) - 1) * PER_PAGE
  return data(found.slice(from, from + PER_PAGE), {
    meta: {
      current_page: Number(page),
      last_page: Math.max(1, Math.ceil(found.length / PER_PAGE)),
      per_page: PER_PAGE,
      total: found.length,
    },
  })
}

const NO_ADDRESS = 'The original url must be an absolute http or https address.'

function create(links: Link[], { original_url, title = '', custom_code }: any): [number, object] {
  if (!/^https?:\/\/[^.]+\./.test(original_url))
    return [422, refusal(NO_ADDRESS, { original_url: [NO_ADDRESS] })]
  const code = custom_code ?? `n${links.length}Wk3Xq`
  const link = {
    ...structuredClone(recorded.links[7]!),
    id: 100 + links.length,
    short_code: code,
    original_url,
    title,
  }
  Object.assign(link, {
    short_url: `https://go.example.com/${code}`,
    is_active: true,
    created_at: new Date().toISOString(),
  })
  links.unshift(link)
  return [201, data(link)]
}

const bulkErrors = (links: { original_url: string }[]) =>
  Object.fromEntries(
    links.flatMap(({ original_url }, i) =>
      /^https?:\/\/[^.]+\./.test(original_url) ? [] : [[`links.${i}.original_url`, [NO_ADDRESS]]],
    ),
  )
