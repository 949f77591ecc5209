import { describe, expect, test } from 'bun:test'
import { asAnother } from '../../rigs/program/operated-folder.ts'
import { becomes, eventually, until } from '../../rigs/eventually.ts'
import { REPLICATED } from '../driver/database.ts'
import { failOver } from '../driver/faults.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

/** Made on each node when the standby hears nothing any more. */
const LOST = [
  ['lost-1', 'lost-2', 'lost-3', 'lost-4'],
  ['lost-5', 'lost-6', 'lost-7'],
] as const
const LOST_COUNT = LOST.flat().length

/** Commits do not wait for the standby, so the last ones are lost with the primary. */
const isMissing = lacks('a fail-over', 'postgresql')

describe.skipIf(isMissing)('a standby that takes over without the last transactions', () => {
  const tern = useTern({ nodes: 2, postgres: { settings: REPLICATED, networked: [0, 1] } })

  test('loses no click, and reports exactly which links are lost', async () => {
    await tern.makeLinks('kept', 'also-kept')
    await (await tern.database.addStandby()).cutOff()
    const { server } = tern.database
    await until(async () => (await server.run('SELECT FROM pg_stat_replication')).length === 0)
    for (const [node, codes] of LOST.entries()) {
      for (const code of codes) {
        expect((await claim(node, code)).status).toBe(201)
        expect(await tern.visit(code, node)).toBe(302)
      }
    }
    for (let n = 0; n < 50; n++) expect(await tern.visit('kept', n % 2)).toBe(302)
    await tern.counted({ kept: 50 })
    await server.stop('immediate')
    for (let n = 0; n < 30; n++) expect(await tern.visit('kept', n % 2)).toBe(302)
    await failOver(tern)
    await tern.counted({ kept: 80, 'also-kept': 0 })
    for (const node of [0, 1]) {
      const codes = await eventually(
        () => tern.findings('codes', { node }),
        ([first]) => String(first?.says).startsWith(`${LOST_COUNT} `),
      )
      expect(codes).toEqual([
        {
          check: 'codes',
          verdict: 'fault',
          says: expect.stringContaining(
            `${LOST_COUNT} acknowledged links are lost because the database went back in time. Their codes are blocked: `,
          ),
        },
      ])
      expect((await tern.findings('journal', { node }))[0]).toMatchObject({
        verdict: 'ok',
        says: expect.stringContaining(' 0 missing.'),
      })
    }
    expect((await tern.run(['recount', '--check'])).exitCode).toBe(0)
  })

  test('gives no code of a lost link to another account', async () => {
    const rival = await asAnother(tern.operator, 'rival@example.com')
    for (const code of LOST.flat()) {
      expect((await claim({ node: 0, key: rival.key }, code)).status).toBe(422)
      await becomes(() => tern.visit(code), 404)
    }
    expect((await claim(1, 'lost-1')).status).toBe(201)
    await becomes(() => tern.visit('lost-1'), 302)
  })

  const claim = (at: Parameters<typeof tern.ask>[0], code: string) =>
    tern.ask(at, 'POST', '/api/links', { original_url: 'https://example.com/', custom_code: code })
})
