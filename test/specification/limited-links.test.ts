import { describe, expect, test } from 'bun:test'
import { forgetDeletedLinks } from '../../src/links/trash/forget-deleted-links.ts'
import { MINUTE_US, systemClock } from '../../src/runtime/clock.ts'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, FIREFOX, GOOGLEBOT, makeLink, refusal, useContractRig } from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const VISITORS = 200

describe('a link with clicks that gets a limit', () => {
  test('below them has reached it, also if they were still being counted', async () => {
    const { id, short_code } = await clicked(3)
    expect((await put(short_code, { max_clicks: 2 })).status).toBe(200)
    await hasOpened(id, 3)
    const statuses = [await visit(short_code), await visit(short_code)].map(({ status }) => status)
    expect(statuses).toEqual([410, 410])
    expect(await statusOf(short_code)).toBe('limit_reached')
  })

  test('above them leads as many visitors as are left, and remembers all when the limit goes and comes back', async () => {
    const { id, short_code } = await clicked(2)
    expect(
      await eventually(
        () => clickCountOf(short_code),
        (found) => found === 2,
      ),
    ).toBe(2)
    await put(short_code, { max_clicks: 4 })
    expect((await visitAtOnce(short_code)).filter((status) => status === 302)).toHaveLength(2)
    await put(short_code, { max_clicks: null })
    expect((await visit(short_code)).status).toBe(302)
    expect(
      await eventually(
        () => clickCountOf(short_code),
        (found) => found === 5,
      ),
    ).toBe(5)
    await put(short_code, { max_clicks: 5 })
    expect([await openedOf(id), (await visit(short_code)).status]).toEqual([5, 410])
    await put(short_code, { max_clicks: 6 })
    expect([(await visit(short_code)).status, (await visit(short_code)).status]).toEqual([302, 410])
  })

  test('is put back from the trash with what it has left', async () => {
    const { id, short_code } = await clicked(1)
    await put(short_code, { max_clicks: 2 })
    await hasOpened(id, 1)
    await rig.call('DELETE', `/api/links/${short_code}`, { key: caller.key })
    await rig.call('POST', `/api/links/${short_code}/restore`, { key: caller.key })
    expect([(await visit(short_code)).status, (await visit(short_code)).status]).toEqual([302, 410])
  })

  const clicked = async (clicks: number) => {
    const link = await limited({})
    for (let each = 0; each < clicks; each++) expect((await visit(link.short_code)).status).toBe(302)
    return link
  }

  const hasOpened = async (id: number, clicks: number) =>
    expect(
      await eventually(
        () => openedOf(id),
        (found) => found === clicks,
      ),
    ).toBe(clicks)
})

describe('a link with max_clicks', () => {
  test.each([1, 7, VISITORS - 1, VISITORS])(
    `leads %d of ${VISITORS} visitors who come at once, and no more`,
    async (max) => {
      const { id, short_code } = await limited({ max_clicks: max })
      const statuses = await visitAtOnce(short_code)
      expect([numberOf(statuses, 302), numberOf(statuses, 410)]).toEqual([max, VISITORS - max])
      expect(await openedOf(id)).toBe(max)
      expect(await statusOf(short_code)).toBe('limit_reached')
    },
  )

  test('tells visitors who come later why they are not led on', async () => {
    const { short_code } = await limited({ max_clicks: 1 })
    expect((await visit(short_code)).headers.get('location')).toBe(DESTINATION)
    const program = await visit(short_code)
    expect(program.status).toBe(410)
    expect(JSON.parse(program.text)).toEqual(refusal('link_used_up', 'This link has reached its limit.'))
    const page = await visit(short_code, PAGE)
    expect(page.status).toBe(410)
    expect(page.text).toContain('This link has reached its limit')
    expect(page.text).toContain('It was made for a certain number of visitors. Only its owner can raise it.')
  })

  test('leads to its fallback then, which spends nothing', async () => {
    const { id, short_code } = await limited({ max_clicks: 2, fallback_url: FALLBACK })
    const places = []
    for (let i = 0; i < 5; i++) places.push((await visit(short_code)).headers.get('location'))
    expect(places).toEqual([DESTINATION, DESTINATION, FALLBACK, FALLBACK, FALLBACK])
    expect(await openedOf(id)).toBe(2)
  })

  test('opens again when its owner raises the limit, for as many as are missing', async () => {
    const { short_code } = await limited({ max_clicks: 2 })
    await visitAtOnce(short_code)
    await put(short_code, { max_clicks: 5 })
    expect(await statusOf(short_code)).toBe('active')
    expect(numberOf(await visitAtOnce(short_code), 302)).toBe(3)
    await put(short_code, { max_clicks: 4 })
    expect((await visit(short_code)).status).toBe(410)
    await put(short_code, { max_clicks: null })
    expect((await visit(short_code)).status).toBe(302)
    await put(short_code, { max_clicks: 5 })
    expect(await statusOf(short_code)).toBe('limit_reached')
  })

  test.each<[string, Record<string, string>, string, number]>([
    ['HEAD', {}, 'HEAD', 200],
    ['a crawler', { 'User-Agent': GOOGLEBOT }, 'GET', 200],
    ['a link preview', { 'User-Agent': 'WhatsApp/2.23.20.0' }, 'GET', 200],
    ['a prefetch', { 'Sec-Purpose': 'prefetch' }, 'GET', 403],
    ['an image of another page', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }, 'GET', 403],
    ['a script of another page', { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }, 'GET', 403],
    ['a request of the same site', { 'Sec-Fetch-Mode': 'same-origin' }, 'GET', 403],
  ])('does not tell %s where it leads, and spends nothing', async (_, headers, method, status) => {
    const { id, short_code } = await limited({ max_clicks: 1, forward_query: true, social_title: 'A card' })
    for (const accept of [{}, PAGE]) {
      const answer = await visit(short_code, { ...headers, ...accept }, method)
      expect([answer.status, answer.headers.get('location')]).toEqual([status, null])
      expect(answer.headers.get('cache-control')).toContain('no-store')
      expect(answer.text + JSON.stringify([...answer.headers])).not.toContain('example.com/launch')
    }
    expect(await openedOf(id)).toBeUndefined()
    expect((await visit(short_code)).status).toBe(302)
  })

  test.each<[string, Record<string, string>, string]>([
    ['HEAD', {}, 'HEAD'],
    ['a crawler', { 'User-Agent': GOOGLEBOT }, 'GET'],
    ['a link preview', { 'User-Agent': 'WhatsApp/2.23' }, 'GET'],
    ['a prefetch', { 'Sec-Purpose': 'prefetch' }, 'GET'],
  ])('that is used up tells %s the same as everybody', async (_, headers, method) => {
    const over = await limited({ max_clicks: 1 })
    const elsewhere = await limited({ max_clicks: 1, fallback_url: FALLBACK, social_title: 'A card' })
    for (const { short_code } of [over, elsewhere]) expect((await visit(short_code)).status).toBe(302)
    expect((await visit(over.short_code, headers, method)).status).toBe(410)
    const led = await visit(elsewhere.short_code, headers, method)
    expect([led.status, led.headers.get('location')]).toEqual([302, FALLBACK])
  })

  test('that is used up does not ask for its password any more', async () => {
    const password = 'sesame opens'
    const { id, short_code: code } = await limited({ max_clicks: 1, password })
    const enter = () =>
      documentedFetch(`${rig.url}/${code}`, {
        method: 'POST',
        headers: { Origin: rig.url },
        body: new URLSearchParams({ password }),
      })
    expect((await visit(code)).status).toBe(403)
    const Cookie = (await enter()).headers.get('set-cookie')!.split(';')[0]!
    expect((await visit(code, { Cookie })).headers.get('location')).toBe(DESTINATION)
    for (const headers of [{}, { Cookie }, PAGE]) expect((await visit(code, headers)).status).toBe(410)
    const late = await enter()
    expect([late.status, late.headers.get('location'), late.headers.get('set-cookie')]).toEqual([
      303,
      `/${code}`,
      null,
    ])
    await put(code, { fallback_url: FALLBACK })
    for (const headers of [{}, { Cookie }])
      expect((await visit(code, headers)).headers.get('location')).toBe(FALLBACK)
    await put(code, { max_clicks: 2 })
    expect((await visit(code)).status).toBe(403)
    expect((await visit(code, { Cookie })).headers.get('location')).toBe(DESTINATION)
    expect(await openedOf(id)).toBe(2)
  })

  test('leaves nothing behind when it is removed for good', async () => {
    const [kept, gone] = [await limited({ max_clicks: 5 }), await limited({ max_clicks: 5 })]
    for (const { short_code } of [kept, gone]) await visit(short_code)
    await rig.call('DELETE', `/api/links/${gone.short_code}`, { key: caller.key })
    expect(await openedOf(gone.id)).toBe(1)
    await forgetDeletedLinks(rig.store.relaxedDb, {
      nowUs: systemClock.nowUs() + 2 * MINUTE_US,
      trashDays: 0,
    })
    expect([await openedOf(kept.id), await openedOf(gone.id)]).toEqual([1, undefined])
  })
})

const FALLBACK = 'https://example.com/over'
const PAGE = { Accept: 'text/html' }

const limited = async (fields: Record<string, unknown>): Promise<{ id: number; short_code: string }> =>
  makeLink(rig, caller, fields)
const put = (code: string, body: unknown) => rig.call('PUT', `/api/links/${code}`, { key: caller.key, body })
const statusOf = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data.status
const visit = async (code: string, headers: Record<string, string> = {}, method = 'GET') => {
  const sent = { 'User-Agent': FIREFOX, ...headers }
  const answer = await documentedFetch(`${rig.url}/${code}`, { method, headers: sent })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const clickCountOf = async (code: string) =>
  (await rig.call('GET', `/api/links/${code}`, { key: caller.key })).body.data.click_count
const visitAtOnce = async (code: string) =>
  (await Promise.all(Array.from({ length: VISITORS }, () => visit(code)))).map(({ status }) => status)
const openedOf = async (id: number) =>
  (
    await rig.store.db
      .selectFrom('link_openings')
      .select('opened')
      .where('link_id', '=', id)
      .executeTakeFirst()
  )?.opened
const numberOf = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length
