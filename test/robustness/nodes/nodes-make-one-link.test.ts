import { describe, expect, test } from 'bun:test'
import { lacks } from '../driver/lacks.ts'
import { useTern } from '../driver/tern.ts'

const ROUNDS = 10
/** Of each node, at once. */
const REQUESTS = 2

const isMissing = lacks('nodes that must make one link', 'postgresql')

describe.skipIf(isMissing)('two nodes that are asked for one link at once', () => {
  const tern = useTern({ nodes: 2, postgres: {} })

  test('make one to reuse', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const body = { original_url: `https://example.com/reuse/round-${round}`, reuse_existing: true }
      const answers = await onBoth((node) => ask(node, 'POST', '/api/links', body))
      for (const { status } of answers) expect([200, 201]).toContain(status)
      expect(new Set(answers.map(({ code }) => code)).size).toBe(1)
      expect(await countOf(`search=round-${round}`)).toBe(1)
    }
  })

  test('give an external ID to one, new or edited', async () => {
    const original_url = 'https://example.com/'
    const edited = await Promise.all([0, 1].map((node) => ask(node, 'POST', '/api/links', { original_url })))
    for (let round = 0; round < ROUNDS; round++) {
      const external_id = `order ${round}`
      const answers = await Promise.all([
        ...edited.map(({ code }, node) => ask(node, 'PUT', `/api/links/${code}`, { external_id })),
        onBoth((node) => ask(node, 'POST', '/api/links', { original_url, external_id })),
      ])
      for (const { status, errors } of answers.flat())
        if (status >= 300)
          expect([status, errors]).toEqual([
            422,
            { external_id: ['The external id has already been taken.'] },
          ])
      expect(await countOf(`external_id=order%20${round}`)).toBe(1)
    }
    expect(await tern.database.server.log()).not.toContain('deadlock detected')
  })

  type Answer = { status: number; code: string | undefined; errors: unknown }

  /** Asked again while a node is too busy, as a client would: how fast the machine is decides nothing. */
  const ask = async (node: number, method: string, path: string, body: object): Promise<Answer> => {
    const response = await tern.ask(node, method, path, body)
    const { data, errors } = (await response.json()) as { data?: { short_code: string }; errors?: unknown }
    if (response.status !== 503) return { status: response.status, code: data?.short_code, errors }
    await Bun.sleep(1_000)
    return ask(node, method, path, body)
  }
  const onBoth = (work: (node: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: 2 * REQUESTS }, (_, n) => work(n % 2)))
  const countOf = async (query: string): Promise<number> => {
    const response = await tern.ask(0, 'GET', `/api/links?${query}`)
    return ((await response.json()) as { meta: { total: number } }).meta.total
  }
})
