import { describe, expect, test } from 'bun:test'
import { becomes } from '../../rigs/eventually.ts'
import { databaseDown } from '../driver/faults.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

describe.skipIf(lacks('a database that is away', 'postgresql'))('while the database is down', () => {
  const tern = useTern({ postgres: {} })

  test('known links redirect and are counted, others get 503, and health and metrics report it', async () => {
    await tern.makeLinks('known', 'other', 'seldom')
    for (const code of ['known', 'other']) expect(await tern.visit(code)).toBe(302)
    const startAgain = await databaseDown(tern)
    for (let n = 0; n < 50; n++) expect(await tern.visit('known')).toBe(302)
    const unknown = await tern.api('GET', '/seldom')
    expect([unknown.status, unknown.headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(unknown.body)).toEqual({
      success: false,
      code: 'store_unavailable',
      message: 'This link cannot be looked up at the moment. Try again in a few seconds.',
      errors: {},
    })
    const refused = await tern.api('GET', '/api/links')
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, errors: {} })
    for (const [path, title] of PAGES) {
      const page = await tern.api('GET', path)
      expect([page.status, page.headers['retry-after']]).toEqual([503, '5'])
      expect(page.body).toContain(`<h1>${title}</h1>`)
    }
    await becomes(() => tern.health(), 'degraded')

    await startAgain()
    await becomes(() => tern.health(), 'ok')
    await becomes(() => tern.visit('seldom'), 302)
    await tern.counted({ known: 51, other: 1, seldom: 1 })
  })

  test('a node still starts, redirects the links it knew, and counts them when the database is back', async () => {
    expect(await tern.visit('known')).toBe(302)
    await tern.stopAll()
    const startAgain = await databaseDown(tern)
    await tern.start()
    expect(await tern.visit('known')).toBe(302)
    expect(await tern.visit('never-made')).toBe(503)
    expect((await tern.api('GET', '/api/links')).status).toBe(503)
    await becomes(() => tern.health(), 'degraded')
    await startAgain()
    await tern.counted({ known: 53 })
    await becomes(() => tern.visit('never-made'), 404)
  })
})

const TOKEN = 'a'.repeat(43)
/** What people open, and the title of what they read then. */
const PAGES = [
  [`/share/${TOKEN}`, 'These statistics cannot be shown right now'],
  [`/unsubscribe/1.1.${TOKEN}`, 'Not possible right now'],
  [`/own-traffic/1.${TOKEN}`, 'Not possible right now'],
] as const
