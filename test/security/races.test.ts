import { expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { type TestAnswer, useCaller, useServiceRig } from '../rigs/service/service-rig.ts'

// T31: what many do at the same time.

const GOOD = { original_url: 'https://example.com/a' }

const rig = useServiceRig()
const caller = useCaller(rig)
const other = useCaller(rig)

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

const times = (count: number, ask: (i: number) => Promise<TestAnswer>) =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(i)))
const create = (key: string, body: object, headers: Record<string, string> = {}) =>
  rig.call('POST', '/api/links', { key, body: { ...GOOD, ...body }, headers })
const overview = async (key = caller.key) =>
  (await rig.call('GET', '/api/analytics/overview', { key })).body.data.overview
