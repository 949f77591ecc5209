import type { OperatedFolder } from '../../test/rigs/program/operated-folder.ts'
import { codeOfLink } from '../rigs/make-links.ts'
import type { MeasuredPostgres } from '../rigs/measured-postgres.ts'
import type { TernProcesses } from './tern-processes.ts'

/** Each call is made this often, one after the other. A few of the queries are the threads' own. */
const REPEATS = 300
const BULK_LINKS = 100

export type CallCost = {
  name: string
  /** BEGIN and COMMIT left out. */
  queries: number
  transactions: number
  ternUs: number
  postgresUs: number
}

type Call = { name: string; method: string; path(code: string): string; body?: unknown }

const url = 'https://www.example.com/some/landing/page'

/** In this order, because deleted links are not requested afterwards. */
const CALLS: Call[] = [
  {
    name: 'create',
    method: 'POST',
    path: () => '/api/links',
    body: { original_url: url, title: 'Landing page' },
  },
  {
    name: `create ${BULK_LINKS}`,
    method: 'POST',
    path: () => '/api/bulk-shorten',
    body: { links: Array.from({ length: BULK_LINKS }, () => ({ original_url: url })) },
  },
  { name: 'list', method: 'GET', path: () => '/api/links' },
  { name: 'search', method: 'GET', path: () => '/api/links?search=12345' },
  { name: 'get one', method: 'GET', path: (code) => `/api/links/${code}` },
  { name: 'edit', method: 'PUT', path: (code) => `/api/links/${code}`, body: { title: 'Another title' } },
  { name: 'toggle', method: 'POST', path: (code) => `/api/links/${code}/toggle` },
  { name: 'overview', method: 'GET', path: () => '/api/analytics/overview' },
  { name: "one link's analytics", method: 'GET', path: (code) => `/api/analytics/links/${code}` },
  { name: 'usage', method: 'GET', path: () => '/api/account/usage' },
  { name: 'delete', method: 'DELETE', path: (code) => `/api/links/${code}` },
]

type QuerySetting = { folder: OperatedFolder; tern: TernProcesses; postgres: MeasuredPostgres }

/** What each call of the API asks of PostgreSQL. */
export async function apiQueries(asked: QuerySetting): Promise<CallCost[]> {
  const costs: CallCost[] = []
  for (const call of CALLS) {
    await ask(asked, call, 1) // prepares its statements
    costs.push(await costOf(asked, call))
  }
  return costs
}

async function costOf(asked: QuerySetting, call: Call): Promise<CallCost> {
  const { tern, postgres, folder } = asked
  await postgres.forgetStatements()
  const before = { ternUs: tern.cpuUs(), postgresUs: postgres.cpuUs() }
  for (let repeat = 0; repeat < REPEATS; repeat++) await ask(asked, call, 2 + repeat)
  const [ternUs, postgresUs] = [tern.cpuUs() - before.ternUs, postgres.cpuUs() - before.postgresUs]
  const statements = await postgres.statements(folder.settings.DATABASE_URL!)
  const callsOf = (pattern: RegExp) =>
    statements.filter(({ query }) => pattern.test(query)).reduce((sum, { calls }) => sum + calls, 0)
  return {
    name: call.name,
    queries: callsOf(/^(?!BEGIN|COMMIT)/i) / REPEATS,
    transactions: callsOf(/^BEGIN/i) / REPEATS,
    ternUs: ternUs / REPEATS,
    postgresUs: postgresUs / REPEATS,
  }
}

async function ask(
  { folder }: QuerySetting,
  { name, method, path, body }: Call,
  link: number,
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${folder.port}${path(codeOfLink(link))}`, {
    method,
    headers: { 'X-API-Key': folder.key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${name} was answered with ${answer.status}: ${text}`)
}
