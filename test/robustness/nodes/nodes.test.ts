import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../rigs/eventually.ts'
import { Nodes } from '../../rigs/program/nodes.ts'
import { findPostgres, PostgresServer } from '../../rigs/store/postgres-server.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { skipBecause } from '../../skips.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'

const isMissing =
  findPostgres() === undefined && skipBecause('several nodes of one store', 'apt-get install postgresql')
const folders = temporaryFolders()

let postgres: PostgresServer
let database: string
let nodes: Nodes

describe.skipIf(isMissing)('three nodes of one store', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    const databaseUrl = await postgres.makeDatabase()
    database = new URL(databaseUrl).pathname.slice(1)
    nodes = await Nodes.start(3, { databaseUrl, folder: () => folders.make() })
  })

  afterAll(async () => {
    await nodes.stop()
    await postgres.remove()
    folders.remove()
  })

  const open = (node: number, code: string) => nodes.ask(node, 'GET', `/${code}`)
  const statuses = (code: string) =>
    Promise.all([0, 1, 2].map(async (node) => (await open(node, code)).status))
  const makeLink = (code: string, node = 0) =>
    nodes.ask(node, 'POST', '/api/links', { original_url: `https://example.com/${code}`, custom_code: code })

  const onAllNodes = (code: string, status: number) =>
    eventually(
      () => statuses(code),
      (found) => found.every((each) => each === status),
    )

  /** Counted clicks, and openings spent. */
  const openingsOf = async (code: string) => {
    const [row] = await postgres.run(
      `SELECT coalesce(clicks, 0)::int AS clicks, coalesce(opened, 0)::int AS opened FROM links
        LEFT JOIN link_totals ON link_totals.link_id = id LEFT JOIN link_openings ON link_openings.link_id = id
        WHERE code = '${code}'`,
      database,
    )
    return { ...row } as { clicks: number; opened: number }
  }

  test('a link created on one redirects on all', async () => {
    expect((await makeLink('made')).status).toBe(201)
    expect(await onAllNodes('made', 302)).toEqual([302, 302, 302])
  })

  test('a link that was just unknown on one redirects as soon as another has created it', async () => {
    expect(await statuses('missed')).toEqual([404, 404, 404])
    await makeLink('missed', 2)
    expect(await onAllNodes('missed', 302)).toEqual([302, 302, 302])
  })

  test('a toggle, an edit and a deletion on one apply to all', async () => {
    await makeLink('changed')
    await onAllNodes('changed', 302)
    await nodes.ask(1, 'POST', '/api/links/changed/toggle')
    expect(await onAllNodes('changed', 404)).toEqual([404, 404, 404])
    await nodes.ask(2, 'POST', '/api/links/changed/toggle')
    expect(await onAllNodes('changed', 302)).toEqual([302, 302, 302])
    await nodes.ask(0, 'PUT', '/api/links/changed', { original_url: 'https://example.com/elsewhere' })
    const places = await eventually(
      () => Promise.all([0, 1, 2].map(async (node) => (await open(node, 'changed')).headers.get('location'))),
      (found) => found.every((place) => place === 'https://example.com/elsewhere'),
    )
    expect(places).toEqual(Array(3).fill('https://example.com/elsewhere'))
    await nodes.ask(1, 'DELETE', '/api/links/changed')
    expect(await onAllNodes('changed', 404)).toEqual([404, 404, 404])
  })

  test('a link starts and ends on all at its time, by no request to any', async () => {
    const at = new Date(Date.now() + 2_000).toISOString()
    await makeLink('starts')
    await makeLink('ends')
    await nodes.ask(1, 'PUT', '/api/links/starts', { starts_at: at })
    await nodes.ask(1, 'PUT', '/api/links/ends', { expires_at: at })
    expect(await onAllNodes('ends', 410)).toEqual([410, 410, 410])
    expect(await onAllNodes('starts', 302)).toEqual([302, 302, 302])
  })

  test('who enters the password of a link on one is known to all, until it changes on any', async () => {
    await nodes.ask(0, 'POST', '/api/links', {
      original_url: 'https://example.com/secret',
      custom_code: 'secret',
      password: 'open sesame',
    })
    expect(await onAllNodes('secret', 403)).toEqual([403, 403, 403])
    const url = (node: number) => `http://127.0.0.1:${nodes.nodes[node]!.port}/secret`
    const entered = await documentedFetch(url(1), {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ password: 'open sesame' }),
    })
    expect(entered.status).toBe(303)
    const Cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    const opened = () =>
      Promise.all(
        [0, 1, 2].map(async (node) => (await documentedFetch(url(node), { headers: { Cookie } })).status),
      )
    expect(await opened()).toEqual([302, 302, 302])
    await nodes.ask(2, 'PUT', '/api/links/secret', { password: 'open sesame' })
    const asked = await eventually(opened, (found) => found.every((status) => status === 403))
    expect(asked).toEqual([403, 403, 403])
  })

  test('a code claimed on all at once becomes one link', async () => {
    const claims = Array.from({ length: 100 }, (_, n) => makeLink('wanted', n % 3))
    const answers = (await Promise.all(claims)).map(({ status }) => status)
    expect(answers.filter((status) => status === 201)).toHaveLength(1)
    expect(answers.filter((status) => status === 422)).toHaveLength(99)
  })

  test.each([7, 150])('a link for %d visitors leads as many on of 200, wherever they come', async (max) => {
    const code = `limited-${max}`
    const link = { original_url: 'https://example.com/', custom_code: code, max_clicks: max }
    await nodes.ask(0, 'POST', '/api/links', link)
    const ledOf200 = async () => {
      const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => open(n % 3, code)))
      return answers.filter(({ headers }) => headers.has('location')).length
    }
    expect(await ledOf200()).toBe(max)
    expect(await statuses(code)).toEqual([410, 410, 410])
    await nodes.ask(2, 'PUT', `/api/links/${code}`, { max_clicks: max + 30 })
    let more = 0
    await eventually(
      async () => (more += await ledOf200()),
      (led) => led >= 30,
    )
    expect([more, await ledOf200(), await statuses(code)]).toEqual([30, 0, [410, 410, 410]])
  })

  test('a limit that is set on one takes the clicks of another for openings, also those from before it hears of it', async () => {
    await makeLink('later-limited')
    await eventually(
      () => open(1, 'later-limited'),
      ({ status }) => status === 302,
    )
    let edit: Promise<Response> | undefined
    for (let visits = 1; visits < 20; visits++) {
      if (visits === 5) edit = nodes.ask(0, 'PUT', '/api/links/later-limited', { max_clicks: 1_000 })
      expect((await open(1, 'later-limited')).status).toBe(302)
    }
    expect((await edit!).status).toBe(200)
    const counted = () => openingsOf('later-limited')
    const all = { clicks: 20, opened: 20 }
    expect(await eventually(counted, (each) => Bun.deepEquals(each, all))).toEqual(all)
    await nodes.ask(2, 'PUT', '/api/links/later-limited', { max_clicks: 21 })
    expect(await onAllNodes('later-limited', 410)).toEqual([410, 410, 410])
    const more = { clicks: 21, opened: 21 }
    expect(await eventually(counted, (each) => Bun.deepEquals(each, more))).toEqual(more)
  })

  test('the hourly limit is exact across all of them', async () => {
    const made = await nodes.operator.makeKey(100)
    const requests = Array.from({ length: 300 }, (_, n) =>
      nodes.ask(n % 3, 'GET', '/api/account', undefined, made),
    )
    const answers = (await Promise.all(requests)).map(({ status }) => status)
    expect(answers.filter((status) => status === 200)).toHaveLength(100)
    expect(answers.filter((status) => status === 429)).toHaveLength(200)
  })

  test('a request with the same Idempotency-Key on two nodes makes one link', async () => {
    const body = JSON.stringify({ original_url: 'https://example.com/once' })
    const ask = (node: number) =>
      documentedFetch(`http://127.0.0.1:${nodes.nodes[node]!.port}/api/links`, {
        method: 'POST',
        headers: {
          'X-API-Key': nodes.operator.key,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'once',
        },
        body,
      })
    const answers = await Promise.all([0, 1, 2].map(ask))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const codes = await Promise.all(answers.map(async (each) => ((await each.json()) as any).data.short_code))
    expect(new Set(codes).size).toBe(1)
  })

  test('every click on every node is counted once', async () => {
    await makeLink('clicked')
    await onAllNodes('clicked', 302)
    const before = (await nodes.operator.clickCounts(['clicked'])).get('clicked')!
    await Promise.all(Array.from({ length: 300 }, (_, n) => open(n % 3, 'clicked')))
    const count = async () => (await nodes.operator.clickCounts(['clicked'])).get('clicked')!
    // Those of the waiting above may still be on their way; they are counted in the end as well.
    const end = await eventually(count, (found) => found >= before + 300)
    await Bun.sleep(1_000)
    expect(await count()).toBe(end)
    expect(end).toBe((await opened('clicked')).length)
  })

  const opened = async (code: string) =>
    postgres.run(
      `SELECT clicks.id FROM clicks JOIN links ON links.id = link_id WHERE code = '${code}'`,
      new URL(nodes.nodes[0]!.settings.DATABASE_URL!).pathname.slice(1),
    )
})
