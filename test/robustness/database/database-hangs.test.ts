import { describe, expect, test } from 'bun:test'
import { becomes, until } from '../../rigs/eventually.ts'
import { parsePrometheusText } from '../../rigs/http/prometheus-text.ts'
import { frozenDatabase, lockedTable } from '../driver/faults.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

const CREATION = { original_url: 'https://example.com/' }
const PATHS = ['/api/links', '/api/links/other', '/api/analytics/overview', '/api/info/other']
const REFUSED = new Set(['503, try again in 5 s'])
const BEGUN = { time: expect.any(String), error: expect.any(String) }
const OVER = { time: expect.any(String), seconds: expect.any(Number), failures: expect.any(Number) }
/** The alarm TernStoreUnreachable goes off above it (deploy/prometheus-alarms.yml). */
const ALARM_ERRORS = 5

describe.skipIf(lacks('a database that hangs', 'postgresql'))('while PostgreSQL does not respond', () => {
  const tern = useTern({ postgres: {} })

  test('because it hangs, everything is answered, and works again when it does', async () => {
    await tern.makeLinks('known', 'other')
    expect(await tern.visit('known')).toBe(302)
    const thaw = await frozenDatabase(tern)
    expect(await requestAll()).toEqual(REFUSED)
    // From now on nothing waits for it any more.
    expect(await requestAll()).toEqual(REFUSED)
    expect(await tern.visit('known')).toBe(302)
    expect(await tern.health()).toBe('degraded')
    await thaw()
    await expectAllWell()
    await until(() => complaints().some(({ message }) => message.endsWith('used again.')))
    // Two lines for each thread that noticed it, however many requests failed.
    expect(complaints().filter(({ thread }) => thread === 'api')).toMatchObject([
      { ...BEGUN, thread: 'api', level: 'error', message: expect.stringContaining('cannot be used') },
      { ...OVER, thread: 'api', level: 'warn', message: 'The database can be used again.' },
    ])
    expect(complaints().filter(({ thread }) => thread === 'redirect')).toMatchObject([
      { ...BEGUN, thread: 'redirect', level: 'error', message: 'The database does not respond.' },
      { ...OVER, thread: 'redirect', level: 'warn', message: 'The database is reachable again.' },
    ])
    expect(complaints().length).toBeLessThanOrEqual(6)
    expect(await errorsCounted()).toBeGreaterThan(ALARM_ERRORS)
  })

  test('because it holds a table locked, everything is answered, and works again when it does not', async () => {
    const release = await lockedTable(tern)
    expect(await requestAll()).toEqual(REFUSED)
    await release()
    await expectAllWell()
  })

  type Line = { level: string; thread: string; message: string }

  /** Without those about the API thread, which a busy machine holds up. */
  const complaints = (): Line[] =>
    tern.nodes[0]!.server!.output.split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Line => JSON.parse(line))
      .filter(({ message }) => !message.startsWith('The API thread'))

  async function errorsCounted(): Promise<number> {
    const families = parsePrometheusText((await tern.api('GET', '/metrics')).body)
    const { samples } = families.get('tern_store_errors_total')!
    return samples.reduce((sum, { value }) => sum + value, 0)
  }

  /** How calls of all kinds are answered that need the database, many at a time. */
  async function requestAll(): Promise<Set<string>> {
    const calls = Array.from({ length: TIMES }, () => [
      ...PATHS.map((path) => tern.api('GET', path)),
      tern.api('POST', '/api/links', CREATION),
      tern.api('GET', `/${crypto.randomUUID().slice(0, 8)}`),
    ])
    const answers = await Promise.all(calls.flat())
    return new Set(
      answers.map(({ status, headers }) => `${status}, try again in ${headers['retry-after']} s`),
    )
  }

  async function expectAllWell(): Promise<void> {
    await becomes(async () => (await tern.api('POST', '/api/links', CREATION)).status, 201)
    await becomes(() => tern.health(), 'ok')
    for (const path of PATHS) expect((await tern.api('GET', path)).status).toBe(200)
  }
})

/** More than there are connections. */
const TIMES = 10
