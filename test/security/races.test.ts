import { expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { type TestAnswer, useCaller, useServiceRig } from '../rigs/service/service-rig.ts'

// T31: what many do at the same time.

const GOOD = { original_url: 'https://example.com/a' }

const rig = useServiceRig()
const caller = useCaller(rig)
const other = useCaller(rig)

const times = (count: number, ask: (i: number) => Promise<TestAnswer>) =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(i)))
const counted = (answers: TestAnswer[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [
      status,
      all!.length,
    ]),
  )
const create = (key: string, body: object, headers: Record<string, string> = {}) =>
  rig.call('POST', '/api/links', { key, body: { ...GOOD, ...body }, headers })
const overview = async (key = caller.key) =>
  (await rig.call('GET', '/api/analytics/overview', { key })).body.data.overview

test('of fifty claims of one code at once, from two accounts, one succeeds', async () => {
  const answers = await times(50, (i) =>
    create(i % 2 === 0 ? caller.key : other.key, { custom_code: 'wanted' }),
  )
  expect(counted(answers)).toEqual({ 201: 1, 422: 49 })
  const taken = answers.filter(({ status }) => status === 422).map(({ body }) => body.errors)
  expect(taken).toEqual(taken.map(() => ({ custom_code: ['The custom code has already been taken.'] })))
  const links = await Promise.all(
    [caller, other].map(({ key }) => rig.call('GET', '/api/links?search=example', { key })),
  )
  expect(links.flatMap(({ body }) => body.data).filter((link) => link.short_code === 'wanted')).toHaveLength(
    1,
  )
})

test('of twenty bulk requests that share one code, one succeeds and the others leave nothing', async () => {
  const before = (await overview()).total_links
  const links = [GOOD, { ...GOOD, custom_code: 'in-bulk' }, GOOD]
  const answers = await times(20, () =>
    rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links } }),
  )
  expect(counted(answers)).toEqual({ 201: 1, 422: 19 })
  expect((await overview()).total_links).toBe(before + 3)
})

test('a hundred toggles at once see each state fifty times, and end where they began', async () => {
  await create(caller.key, { custom_code: 'toggled' })
  const { active_links } = await overview()
  const answers = await times(100, () => rig.call('POST', '/api/links/toggled/toggle', { key: caller.key }))
  expect(answers.filter(({ body }) => body.data.is_active === true)).toHaveLength(50)
  expect(answers.filter(({ body }) => body.data.is_active === false)).toHaveLength(50)
  expect((await overview()).active_links).toBe(active_links)
  expect((await rig.call('GET', '/toggled')).status).toBe(302)
})

test('of thirty deletions of one link at once, one succeeds, and the totals go down by one', async () => {
  await create(caller.key, { custom_code: 'deleted' })
  const { total_links, active_links } = await overview()
  const answers = await times(30, () => rig.call('DELETE', '/api/links/deleted', { key: caller.key }))
  expect(counted(answers)).toEqual({ 200: 1, 404: 29 })
  expect(await overview()).toMatchObject({ total_links: total_links - 1, active_links: active_links - 1 })
})

test('edits, toggles and deletions at once leave the totals right', async () => {
  const codes = Array.from({ length: 10 }, (_, i) => `mixed-${i}`)
  await Promise.all(codes.map((custom_code) => create(other.key, { custom_code })))
  const answers = await times(200, (i) => {
    const path = `/api/links/${codes[i % 10]}`
    if (i % 4 === 0)
      return rig.call('PUT', path, { key: other.key, body: { title: `Title ${i}`, is_active: i % 8 === 0 } })
    if (i % 4 === 1) return rig.call('POST', `${path}/toggle`, { key: other.key })
    if (i % 4 === 2) return rig.call('GET', path, { key: other.key })
    return i > 150
      ? rig.call('DELETE', path, { key: other.key })
      : create(other.key, { custom_code: codes[i % 10] })
  })
  expect(answers.filter(({ status }) => ![200, 201, 404, 422].includes(status))).toEqual([])
  const { data, meta } = (await rig.call('GET', '/api/links?per_page=100', { key: other.key })).body
  const active = data.filter((link: { is_active: boolean }) => link.is_active)
  expect(await overview(other.key)).toMatchObject({ total_links: data.length, active_links: active.length })
  expect(meta.total).toBe(data.length)
})

test('a link that is deleted while it is clicked loses no click that was redirected', async () => {
  const owner = await rig.makeCaller()
  await create(owner.key, { custom_code: 'short-life' })
  const clicks = times(600, () => rig.call('GET', '/short-life'))
  await Bun.sleep(10)
  const deleted = await rig.call('DELETE', '/api/links/short-life', { key: owner.key })
  expect(deleted.status).toBe(200)
  const answers = await clicks
  const opened = answers.filter(({ status }) => status === 302).length
  expect(answers.filter(({ status }) => status !== 302 && status !== 404 && status !== 429)).toEqual([])
  const total = await eventually(
    async () => (await overview(owner.key)).total_clicks,
    (sum) => sum === opened,
  )
  expect(total).toBe(opened)
  expect((await rig.call('GET', '/short-life')).status).not.toBe(302)
})

test('a change is seen by every visitor after its response', async () => {
  await create(caller.key, { custom_code: 'moving' })
  for (let i = 0; i < 25; i++) {
    const original_url = `https://example.com/${i}`
    await rig.call('PUT', '/api/links/moving', { key: caller.key, body: { original_url } })
    const opened = await times(4, () => rig.call('GET', '/moving'))
    expect(new Set(opened.map(({ headers }) => headers.get('location')))).toEqual(new Set([original_url]))
  }
})

test('of thirty requests with one Idempotency-Key at once, exactly one creates a link', async () => {
  const owner = await rig.makeCaller()
  const headers = { 'Idempotency-Key': 'at-once' }
  const answers = await times(30, () => create(owner.key, {}, headers))
  const made = answers.filter(({ status }) => status === 201)
  expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
  expect(new Set(made.map(({ text }) => text)).size).toBe(1)
  expect((await overview(owner.key)).total_links).toBe(1)
  expect((await create(owner.key, {}, headers)).text).toBe(made[0]!.text)
})

test('of fifty requests at once against a limit of twenty, twenty succeed', async () => {
  const owner = await rig.makeCaller({ rateLimit: 20 })
  const answers = await times(50, () => rig.call('GET', '/api/account', { key: owner.key }))
  expect(counted(answers)).toEqual({ 200: 20, 429: 30 })
})
