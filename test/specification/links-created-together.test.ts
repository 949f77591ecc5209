import { describe, expect, test } from 'bun:test'
import { type TestAnswer, useCaller } from '../rigs/service/service-rig.ts'
import { useContractRig } from './contract-rig.ts'

// Links that nothing stored can refuse are written together when they are asked for at once. Nobody may notice.

const REQUESTS = 150
/** On a busy machine, more would wait so long for PostgreSQL that they get 503. */
const AT_ONCE = 45

const rig = useContractRig()
const callers = [useCaller(rig), useCaller(rig), useCaller(rig, { rateLimit: REQUESTS / 2 })]

describe('links that are created at once', () => {
  let created: Created[][]

  test('are answered as if each came alone', async () => {
    created = await createAll()
    for (const { status, at, answer } of created.slice(0, 2).flat()) {
      expect([at, answer.status, answer.body.errors ?? {}]).toEqual([at, status, expect.anything()])
      if (status === 201) expect(linksOf({ status, at, answer }).original_url).toEndWith(`/${at}`)
    }
  })

  test('are counted exactly, and those over the limit of their key are refused', () => {
    const statuses = created[2]!.map(({ answer }) => answer.status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(REQUESTS / 2)
    for (const ofCaller of created) {
      const left = ofCaller
        .filter(({ answer }) => answer.status !== 429)
        .map(({ answer }) => Number(answer.headers.get('X-RateLimit-Remaining')))
      expect(new Set(left).size).toBe(left.length)
    }
  })

  test('have an ID, a code, a time and an entry in the audit log of their own', async () => {
    for (const [caller, ofCaller] of created.entries()) {
      const links = ofCaller.filter(({ answer }) => answer.status === 201).map(linksOf)
      for (const name of ['id', 'svc_id', 'short_code', 'created_at'])
        expect(new Set(links.map((link) => link[name])).size).toBe(links.length)
      const entries = await rig.store.db
        .selectFrom('audit_log')
        .select('target_id as id')
        .where('workspace_id', '=', callers[caller]!.workspaceId)
        .where('action', '=', 'link.created')
        .execute()
      const extra = caller === 0 ? 1 : 0
      expect(entries).toHaveLength(links.length + extra)
      expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining(links.map(({ id }) => id)))
    }
  })

  test('are in the list, in the search and behind their codes', async () => {
    for (const [caller, ofCaller] of created.slice(0, 2).entries()) {
      const { key } = callers[caller]!
      const links = ofCaller.filter(({ answer }) => answer.status === 201).map(linksOf)
      const list = await rig.call('GET', '/api/links?archived=include', { key })
      expect(list.body.meta.total).toBe(links.length + (caller === 0 ? 1 : 0))
      const link = links.find(({ title }) => title !== '')
      const found = await rig.call('GET', `/api/links?search=${encodeURIComponent(link.title)}`, { key })
      expect(found.body.data.map(({ id }: { id: number }) => id)).toContain(link.id)
      for (const { short_code, original_url, is_active } of links.slice(0, 20)) {
        const { status, headers } = await rig.call('GET', `/${short_code}`)
        expect([status, headers.get('location')]).toEqual(is_active ? [302, original_url] : [404, null])
      }
    }
  })
})

/** What is asked for by turns, and the status that it is answered with. */
const KINDS = [
  [201, (at: number) => ({ original_url: `https://example.com/${at}`, title: `Number ${at}` })],
  [201, (at: number) => ({ original_url: `https://example.com/${at}`, max_clicks: at + 1, notes: `${at}` })],
  [201, (at: number) => ({ original_url: `https://example.com/${at}`, custom_code: `own-${at}` })],
  [201, (at: number) => ({ original_url: `https://example.com/${at}`, is_active: false, is_archived: true })],
  [422, () => ({ original_url: 'nowhere' })],
  [422, () => ({ original_url: 'https://example.com/', custom_code: 'own-2' })],
  [201, (at: number) => ({ original_url: `https://example.com/${at}`, tags: ['Winter'] })],
] as const

type Created = { at: number; status: number; answer: TestAnswer }

/** Many at once, by the callers in turn. */
async function createAll(): Promise<Created[][]> {
  const first = { original_url: 'https://example.com/', custom_code: 'own-2' }
  expect((await rig.call('POST', '/api/links', { ...callers[0]!, body: first })).status).toBe(201)
  const create = async (index: number): Promise<Created> => {
    const at = Math.floor(index / callers.length) + 10
    const [status, body] = KINDS[at % KINDS.length]!
    const caller = index % callers.length
    const sent = { ...body(at * callers.length + caller) }
    const answer = await rig.call('POST', '/api/links', { key: callers[caller]!.key, body: sent })
    return { at: at * callers.length + caller, status, answer }
  }
  const created: Created[] = []
  while (created.length < REQUESTS * callers.length)
    created.push(
      ...(await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => create(created.length + at)))),
    )
  return callers.map((_, caller) => created.filter(({ at }) => at % callers.length === caller))
}

const linksOf = ({ answer }: Created) => answer.body.data
