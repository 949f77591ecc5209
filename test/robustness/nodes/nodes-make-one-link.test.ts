import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Nodes } from '../../rigs/program/nodes.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('nodes that must make one link', 'apt-get install postgresql')
const folders = temporaryFolders()

const ROUNDS = 10
/** Of each node, at once. */
const REQUESTS = 2

let postgres: PostgresServer
let nodes: Nodes

describe.skipIf(isMissing)('two nodes that are asked for one link at once', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    const databaseUrl = await postgres.makeDatabase()
    nodes = await Nodes.start(2, { databaseUrl, folder: () => folders.make() })
  })

  afterAll(async () => {
    await nodes.stop()
    await postgres.remove()
    folders.remove()
  })

  type Answer = { status: number; code: string | undefined; errors: unknown }

  /** Asked again while a node is too busy, as a client would: how fast the machine is decides nothing. */
  const ask = async (node: number, method: string, path: string, body: object): Promise<Answer> => {
    const response = await nodes.ask(node, method, path, body)
    const { data, errors } = (await response.json()) as { data?: { short_code: string }; errors?: unknown }
    if (response.status !== 503) return { status: response.status, code: data?.short_code, errors }
    await Bun.sleep(1_000)
    return ask(node, method, path, body)
  }
  const onBoth = (work: (node: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: 2 * REQUESTS }, (_, n) => work(n % 2)))
  const countOf = async (query: string): Promise<number> => {
    const response = await nodes.ask(0, 'GET', `/api/links?${query}`)
    return ((await response.json()) as { meta: { total: number } }).meta.total
  }

  test('make one to reuse', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const body = { original_url: `https://example.com/reuse/round-${round}`, reuse_existing: true }
      const answers = await onBoth((node) => ask(node, 'POST', '/api/links', body))
      for (const { status } of answers) expect([200, 201]).toContain(status)
      expect(new Set(answers.map(({ code }) => code)).size).toBe(1)
      expect(await countOf(`search=round-${round}`)).toBe(1)
    }
  }, 120_000)

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
    expect(await postgres.log()).not.toContain('deadlock detected')
  }, 120_000)
})
