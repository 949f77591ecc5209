import { describe, expect, test } from 'bun:test'
import { OPEN_OF_LINK_MAX } from '../../src/operator/reports/add-report.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, makeLink, refusal, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

let networks = 0
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('a visitor', () => {
  test('reports a link, and nothing about the visitor is kept', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    const preview = await rig.call('GET', `/${code}+`, { headers: { Accept: 'text/html' } })
    expect(preview.text).toContain(`<a href="/report/${code}" rel="nofollow">Report this link</a>`)
    const form = await formOf(code)
    expect(form.status).toBe(200)
    expect(form.headers.get('x-robots-tag')).toBe('noindex')
    expect(form.headers.get('cache-control')).toBe('private, no-store')
    expect(form.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(form.text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)

    const message = 'It asks for my bank’s password.\r\n<b>Look</b>'
    const sent = await report(code, { reason: 'phishing', message })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/report/${code}?sent`])
    const thanks = await rig.call('GET', sent.headers.get('location')!)
    expect([thanks.status, thanks.text.includes('<h1>Thank you</h1>')]).toEqual([200, true])
    expect(await reportsOf(id)).toEqual([
      {
        id: expect.any(Number),
        workspace_id: caller.workspaceId,
        link_id: id,
        short_url: `${rig.config.baseUrl}/${code}`,
        original_url: DESTINATION,
        reason: 'phishing',
        message: message.replace('\r\n', '\n'),
        reported_at: expect.any(Number),
        closed_at: null,
        closed_by: null,
        more: 0,
      },
    ])
  })

  test('learns no more of a link than its short URL says', async () => {
    const { short_code: on } = await makeLink(rig, caller)
    const { short_code: off } = await makeLink(rig, caller, { is_active: false })
    const { short_code: locked } = await makeLink(rig, caller, { password: 'sesame opens' })
    const { short_code: early } = await makeLink(rig, caller, { starts_at: '2199-01-01T00:00:00Z' })
    const codes = [on, off, locked, early]
    const before = await rig.store.db.selectFrom('link_reports').select('id').execute()
    const seen = async (code: string) => {
      const form = await formOf(code)
      const sent = await report(code)
      const parts = [form.status, form.text, sent.status, sent.text, sent.headers.get('location')]
      return parts.map((part) => String(part).replaceAll(code, 'CODE'))
    }
    const first = await seen(on)
    for (const code of codes.slice(1)) expect(await seen(code)).toEqual(first)
    const after = await rig.store.db.selectFrom('link_reports').select('id').execute()
    expect(after.length - before.length).toBe(codes.length)
  })

  test('finds no form for a code that opens nothing, and is not offered one', async () => {
    const { id, short_code: gone } = await makeLink(rig, caller)
    await rig.call('DELETE', `/api/links/${gone}`, caller)
    for (const code of [gone, 'never-made']) {
      const notice = await rig.call('GET', `/${code}`, { headers: { Accept: 'text/html' } })
      expect([notice.status, notice.text.includes('/report/')]).toEqual([404, false])
      for (const path of [code, `${code}?sent`]) expect((await formOf(path)).status).toBe(404)
      expect((await report(code)).status).toBe(404)
    }
    expect(await reportsOf(id)).toEqual([])
  })

  test('learns what is missing or too long, and finds what was sent, as text', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    const long = `</textarea><script>alert(1)</script>${'ä'.repeat(1_000)}`
    const both = await report(code, { reason: 'nothing', message: long })
    expect(both.status).toBe(422)
    expect(both.text).toContain('Choose what is wrong with the link.')
    expect(both.text).toContain('The message may not be longer than 1000 characters.')
    expect(both.text).toContain('&lt;/textarea&gt;&lt;script&gt;')
    expect(both.text).not.toContain('<script')
    const one = await report(code, { reason: 'illegal', message: long })
    expect(one.text).toMatch(/value="illegal"\s+checked/)
    expect((await report(code, { message: '\0' })).status).toBe(422)
    expect((await report(code, { body: '' })).status).toBe(422)
    expect((await report(code, { headers: { 'Content-Type': 'application/json' }, body: '{}' })).status).toBe(
      422,
    )
    expect(await reportsOf(id)).toEqual([])
    expect((await report(code, { message: '🐦'.repeat(1_000) })).status).toBe(303)
    expect(await reportsOf(id)).toHaveLength(1)
  })

  test('sends neither a megabyte nor more', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    for (const bytes of [17 * 1_024, 2 ** 20, 2 ** 20 + 1]) {
      const { status, text } = await report(code, { body: `reason=spam&message=${'a'.repeat(bytes - 20)}` })
      expect([status, text.includes('This is too long.')]).toEqual([413, true])
    }
    expect(await reportsOf(id)).toEqual([])
  })

  test('of another site reports nothing', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    const foreign = refusal('cross_site_request', 'This request did not come from a page of this server.')
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.example' },
    ])
      expect(statusAndBody(await report(code, { headers }))).toEqual({ status: 403, body: foreign })
    expect(await reportsOf(id)).toEqual([])
  })

  test('has ten reports an hour for a network', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    const ip = newIp()
    for (let i = 0; i < 10; i++) expect((await report(code, { ip })).status).toBe(303)
    const refused = await report(code, { ip, reason: 'other', message: 'Kept for me' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ])
    expect(refused.text).toContain('Kept for me')
    expect((await report(code)).status).toBe(303)
    expect((await reportsOf(id)).map(({ more }) => more)).toEqual([9, 0])
  })

  test.each([
    ['an IPv4 /24', 40, (n: number) => `10.77.7.${n}`],
    ['an IPv6 /32', 160, (n: number) => `2001:db8:${n.toString(16)}::1`],
  ])('has more reports an hour together with others of %s, but not without end', async (_, max, ipOf) => {
    const { short_code: code } = await makeLink(rig, caller)
    const statuses: number[] = []
    for (let n = 1; n <= max + 2; n++) statuses.push((await report(code, { ip: ipOf(n) })).status)
    expect(statuses).toEqual([...Array<number>(max).fill(303), 429, 429])
  })

  test('sees no difference when there are enough reports about a link', async () => {
    const { id, short_code: code } = await makeLink(rig, caller)
    for (let i = 0; i < OPEN_OF_LINK_MAX + 2; i++) expect((await report(code)).status).toBe(303)
    expect(await reportsOf(id)).toHaveLength(OPEN_OF_LINK_MAX)
  })

  test.each(['/report', '/report/', '/report/a', '/report/api', '/report/abc/def', '/report/a%20b%20c'])(
    'finds no form at %s',
    async (path) => {
      expect((await rig.call('GET', path)).status).toBe(404)
      expect((await rig.call('POST', path, { headers: FORM_TYPE, body: 'reason=spam' })).status).toBe(404)
    },
  )

  test('uses the form with GET and POST only', async () => {
    const { short_code: code } = await makeLink(rig, caller)
    const { status, headers } = await rig.call('DELETE', `/report/${code}`)
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect((await rig.call('HEAD', `/report/${code}`)).status).toBe(200)
  })
})

const newIp = () => `10.${8 + (++networks >> 8)}.${networks & 255}.7`

type ReportOptions = {
  reason?: string
  message?: string
  ip?: string
  headers?: Record<string, string>
  body?: string
}

const report = (code: string, { ip = newIp(), headers, body, ...fields }: ReportOptions = {}) =>
  rig.call('POST', `/report/${code}`, {
    headers: {
      ...FORM_TYPE,
      'X-Forwarded-For': ip,
      'Sec-Fetch-Site': 'same-origin',
      Accept: 'text/html',
      ...headers,
    },
    body: body ?? new URLSearchParams({ reason: 'spam', ...fields }).toString(),
  })

const formOf = (code: string) => rig.call('GET', `/report/${code}`, { headers: { Accept: 'text/html' } })

const reportsOf = (linkId: number) =>
  rig.store.db.selectFrom('link_reports').selectAll().where('link_id', '=', linkId).orderBy('id').execute()
