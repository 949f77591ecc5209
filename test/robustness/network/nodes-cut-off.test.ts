import { beforeAll, describe, expect, test } from 'bun:test'
import { becomes } from '../../rigs/eventually.ts'
import { refusingNetwork, silentNetwork } from '../driver/faults.ts'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

/** Both have one name, as copies of a machine do; the second one reaches the database through a network that can fail. */
describe.skipIf(lacks('nodes that are cut off', 'postgresql'))('two nodes with the same name', () => {
  const tern = useTern({ nodes: 2, postgres: { networked: [1] }, settings: { NODE_NAME: 'copied' } })

  beforeAll(async () => {
    await tern.makeLinks('known', 'switched', 'last')
    for (const node of [0, 1])
      for (const code of ['known', 'switched', 'last']) expect(await tern.visit(code, node)).toBe(302)
  })

  test('count each click once, and tern doctor reports them', async () => {
    for (let n = 0; n < 40; n++) expect(await tern.visit('known', n % 2)).toBe(302)
    await tern.counted({ known: 42, switched: 2 })
    expect((await tern.run(['doctor'])).output).toContain(
      '2 journals of nodes named copied still have uncounted clicks.',
    )
  })

  test.each([
    ['lets nothing through, and tells nobody', silentNetwork, 404],
    ['refuses connections', refusingNetwork, 302],
  ] as const)(
    'keep working when the network of one %s, and agree when it is back',
    async (_, cutNetwork, toggled) => {
      // Changes are heard in their order: with this one, the node has heard of all before it.
      await toggle(0, 'last')
      await becomes(() => tern.visit('last', 1), toggled)
      expect(await tern.visit('switched', 1)).toBe(302)
      const before = await countsOf('known', 'switched')
      const recover = await cutNetwork(tern)
      for (let n = 0; n < 20; n++) expect(await tern.visit('known', 1)).toBe(302)
      expect(await tern.visit('never-asked', 1)).toBe(503)
      expect(await tern.visit('known')).toBe(302)
      await toggle(0, 'switched')
      // It cannot know.
      expect(await tern.visit('switched', 1)).toBe(302)
      await becomes(() => tern.health(1), 'degraded')
      await recover()
      await becomes(() => tern.visit('switched', 1), 404)
      await tern.counted({ known: before.get('known')! + 21 })
      expect((await countsOf('switched')).get('switched')).toBeGreaterThan(before.get('switched')!)
      await toggle(1, 'switched')
      await becomes(() => tern.visit('switched'), 302)
    },
  )

  const countsOf = (...codes: string[]) => tern.operator.clickCounts(codes)

  async function toggle(node: number, code: string): Promise<void> {
    expect((await tern.ask(node, 'POST', `/api/links/${code}/toggle`)).status).toBe(200)
  }
})
