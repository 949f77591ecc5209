import { describe, expect, test } from 'bun:test'
import { becomes, eventually } from '../../rigs/eventually.ts'
import { documentedFetch } from '../../rigs/http/documented-fetch.ts'
import { expectInvariants } from '../driver/invariants.ts'
import { lacks } from '../driver/lacks.ts'
import { startVisits } from '../driver/load.ts'
import { useTern } from '../driver/tern.ts'

describe.skipIf(lacks('several nodes of one store', 'postgresql'))('three nodes of one store', () => {
  const tern = useTern({ nodes: 3, postgres: {} })

  test('a link created on one redirects on all', async () => {
    expect((await makeLink('made')).status).toBe(201)
    await statusOnAll('made', 302)
  })

  test('a link that was just unknown on one redirects as soon as another has created it', async () => {
    expect(await statuses('missed')).toEqual([404, 404, 404])
    await makeLink('missed', 2)
    await statusOnAll('missed', 302)
  })

  test('a toggle, an edit and a deletion on one apply to all', async () => {
    await makeLink('changed')
    await statusOnAll('changed', 302)
    await tern.ask(1, 'POST', '/api/links/changed/toggle')
    await statusOnAll('changed', 404)
    await tern.ask(2, 'POST', '/api/links/changed/toggle')
    await statusOnAll('changed', 302)
    await tern.ask(0, 'PUT', '/api/links/changed', { original_url: 'https://example.com/elsewhere' })
    const destinations = () => onAll(async (node) => (await open('changed', node)).headers.get('location'))
    await becomes(destinations, Array(3).fill('https://example.com/elsewhere'))
    await tern.ask(1, 'DELETE', '/api/links/changed')
    await statusOnAll('changed', 404)
  })

  test('a link starts and ends on all at its time, by no request to any', async () => {
    const at = new Date(Date.now() + 2_000).toISOString()
    await makeLink('starts')
    await makeLink('ends')
    await tern.ask(1, 'PUT', '/api/links/starts', { starts_at: at })
    await tern.ask(1, 'PUT', '/api/links/ends', { expires_at: at })
    await statusOnAll('ends', 410)
    await statusOnAll('starts', 302)
  })

  test('who enters the password of a link on one is known to all, until it changes on any', async () => {
    await tern.ask(0, 'POST', '/api/links', {
      original_url: 'https://example.com/secret',
      custom_code: 'secret',
      password: 'open sesame',
    })
    await statusOnAll('secret', 403)
    const url = (node: number) => `http://127.0.0.1:${tern.nodes[node]!.port}/secret`
    const entered = await documentedFetch(url(1), {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ password: 'open sesame' }),
    })
    expect(entered.status).toBe(303)
    const Cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    const opened = () =>
      onAll(async (node) => (await documentedFetch(url(node), { headers: { Cookie } })).status)
    expect(await opened()).toEqual([302, 302, 302])
    await tern.ask(2, 'PUT', '/api/links/secret', { password: 'open sesame' })
    await becomes(opened, [403, 403, 403])
  })

  test('a code claimed on all at once becomes one link', async () => {
    // Who waits too long for those before gets 503, and tries again.
    const claim = (n: number) =>
      eventually(
        () => makeLink('wanted', n % 3),
        ({ status }) => status !== 503,
      )
    const claims = Array.from({ length: 100 }, (_, n) => claim(n))
    const answers = (await Promise.all(claims)).map(({ status }) => status)
    expect(answers.filter((status) => status === 201)).toHaveLength(1)
    expect(answers.filter((status) => status === 422)).toHaveLength(99)
  })

  test.each([7, 150])('a link for %d visitors leads as many on of 200, wherever they come', async (max) => {
    const code = `limited-${max}`
    const link = { original_url: 'https://example.com/', custom_code: code, max_clicks: max }
    await tern.ask(0, 'POST', '/api/links', link)
    const ledOf200 = async () => {
      const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => open(code, n % 3)))
      return answers.filter(({ headers }) => headers.has('location')).length
    }
    expect(await ledOf200()).toBe(max)
    expect(await statuses(code)).toEqual([410, 410, 410])
    await tern.ask(2, 'PUT', `/api/links/${code}`, { max_clicks: max + 30 })
    let more = 0
    await eventually(
      async () => (more += await ledOf200()),
      (led) => led >= 30,
    )
    expect([more, await ledOf200(), await statuses(code)]).toEqual([30, 0, [410, 410, 410]])
  })

  test('a limit that is set on one takes the clicks of another for openings, also those from before it hears of it', async () => {
    await makeLink('later-limited')
    await becomes(() => tern.visit('later-limited', 1), 302)
    let edit: Promise<Response> | undefined
    for (let visits = 1; visits < 20; visits++) {
      if (visits === 5) edit = tern.ask(0, 'PUT', '/api/links/later-limited', { max_clicks: 1_000 })
      expect(await tern.visit('later-limited', 1)).toBe(302)
    }
    expect((await edit!).status).toBe(200)
    const counted = () => openingsOf('later-limited')
    await becomes(counted, { clicks: 20, opened: 20 })
    await tern.ask(2, 'PUT', '/api/links/later-limited', { max_clicks: 21 })
    await statusOnAll('later-limited', 410)
    await becomes(counted, { clicks: 21, opened: 21 })
  })

  test('the hourly limit is exact across all of them', async () => {
    const key = await tern.operator.makeKey(100)
    /** What a busy node puts off with 503 is spent when it is sent again. */
    const spend = async (node: number): Promise<number> => {
      const { status } = await tern.ask({ node, key }, 'GET', '/api/account')
      return status === 503 ? spend(node) : status
    }
    const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => spend(n % 3)))
    expect(answers.filter((status) => status === 200)).toHaveLength(100)
    expect(answers.filter((status) => status === 429)).toHaveLength(200)
  })

  test('a request with the same Idempotency-Key on two nodes makes one link', async () => {
    const body = JSON.stringify({ original_url: 'https://example.com/once' })
    const ask = (node: number) =>
      documentedFetch(`http://127.0.0.1:${tern.nodes[node]!.port}/api/links`, {
        method: 'POST',
        headers: {
          'X-API-Key': tern.operator.key,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'once',
        },
        body,
      })
    const answers = await onAll(ask)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const codes = await Promise.all(answers.map(async (each) => ((await each.json()) as any).data.short_code))
    expect(new Set(codes).size).toBe(1)
  })

  test('every click on every node is counted once', async () => {
    await tern.makeLinks('first', 'second', 'third')
    for (const code of ['first', 'second', 'third'])
      await becomes(
        () => onAll(async (node) => (await tern.ask(node, 'HEAD', `/${code}`)).status),
        [302, 302, 302],
      )
    const loads = await onAll((node) => startVisits(tern, { node, visitsMax: 100 }))
    for (const load of loads) await load.finished()
    await expectInvariants(tern)
  })

  const onAll = <Value>(work: (node: number) => Promise<Value>) => Promise.all([0, 1, 2].map(work))
  const statuses = (code: string) => onAll((node) => tern.visit(code, node))

  const statusOnAll = (code: string, status: number) =>
    becomes(() => statuses(code), [status, status, status])

  const open = (code: string, node: number) => tern.ask(node, 'GET', `/${code}`)

  const makeLink = (code: string, node = 0) =>
    tern.ask(node, 'POST', '/api/links', { original_url: `https://example.com/${code}`, custom_code: code })

  /** Counted clicks, and openings spent. */
  const openingsOf = async (code: string) => {
    const [row] = await tern.database.run(
      `SELECT coalesce(clicks, 0)::int AS clicks, coalesce(opened, 0)::int AS opened FROM links
        LEFT JOIN link_totals ON link_totals.link_id = id LEFT JOIN link_openings ON link_openings.link_id = id
        WHERE code = '${code}'`,
    )
    return { ...row } as { clicks: number; opened: number }
  }
})
