import { describe, expect, test } from 'bun:test'
import { DAY_US, MINUTE_US, systemClock } from '../../src/runtime/clock.ts'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, FIREFOX, makeLink, open, useContractRig } from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const PAGE = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'User-Agent': FIREFOX }

describe('the preview page', () => {
  test('says where a link leads, and is no click; continuing is one', async () => {
    const { short_code } = await makeLink(rig, caller, { title: 'Launch <b>', forward_query: true })
    const { status, headers, text } = await preview(short_code)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual([
      'private, no-store',
      'noindex',
    ])
    expect(textOf(text)).toMatch(
      /^The link localhost:\d+\/\S+ goes to https:\/\/example\.com\/launch Launch &lt;b&gt; Title given by the owner of the link Created \w+ \d+, \d+\. Continue to example\.com Report this link About this page$/,
    )
    expect(text).toContain('https://<b>example.com</b>/launch')
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)

    const href = /class="button button-primary"\s+href="([^"]+)"/.exec(text)![1]!
    expect(href).toBe(`/${short_code}?via=preview`)
    expect((await open(rig, href.slice(1))).headers.get('location')).toBe(DESTINATION)
    expect(await clicksOf(short_code, 1)).toEqual([1, 0])
  })

  test('is there for a plus that was percent-encoded', async () => {
    const { short_code } = await makeLink(rig, caller)
    for (const plus of ['%2B', '%2b']) {
      const { status, text } = await rig.call('GET', `/${short_code}${plus}`, { headers: PAGE })
      expect([status, text.includes(`/${short_code}?via=preview`)]).toEqual([200, true])
    }
  })

  test('of a link with a password asks for it, says nothing of the link, and then leads on', async () => {
    const { short_code } = await makeLink(rig, caller, { title: 'For us', password: 'sesame opens' })
    for (const agent of [FIREFOX, 'WhatsApp/2.23']) {
      const headers = { ...PAGE, 'User-Agent': agent }
      const { status, text } = await rig.call('GET', `/${short_code}+`, { headers })
      expect([status, /<h1>(.*)<\/h1>/.exec(text)![1]]).toEqual([403, 'This link needs a password'])
      for (const hidden of ['example.com', 'For us', 'Created']) expect(text).not.toContain(hidden)
    }
    const form = await preview(short_code)
    expect(form.headers.get('content-security-policy')).not.toContain('form-action')
    const action = /<form[^>]* action="([^"]+)"/.exec(form.text)![1]!
    expect(action).toBe(`/${short_code}?via=preview`)
    const entered = await documentedFetch(rig.url + action, {
      method: 'POST',
      headers: { Origin: rig.url },
      body: new URLSearchParams({ password: 'sesame opens' }),
    })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, action])
    const headers = { ...PAGE, Cookie: entered.headers.get('set-cookie')!.split(';')[0]! }
    const led = await rig.call('GET', action, { headers })
    expect([led.status, led.headers.get('location')]).toEqual([302, DESTINATION])
    expect(await clicksOf(short_code, 1)).toEqual([1, 0])
    const program = await rig.call('GET', `/${short_code}+`)
    expect([program.status, program.body.message]).toEqual([403, 'This link needs a password.'])
  })

  test('shows a host as it is resolved, and cuts a long path', async () => {
    const original_url = `https://bücher.example/${'a'.repeat(2_000)}`
    const { short_code } = await makeLink(rig, caller, { original_url })
    const { text } = await preview(short_code)
    expect(text).toContain(`https://<b>xn--bcher-kva.example</b>/${'a'.repeat(499)}…`)
    expect(text).not.toContain('a'.repeat(501))
  })

  test('shows the notice of a link that does not redirect', async () => {
    const { short_code: disabled } = await makeLink(rig, caller, { is_active: false })
    const { short_code: expired } = await makeLink(rig, caller, { expires_at: '2020-01-01T00:00:00Z' })
    const shown = await Promise.all([disabled, expired, 'nobody-here'].map((code) => preview(code)))
    expect(shown.map(({ status }) => status)).toEqual([404, 410, 404])
    for (const { text } of shown) expect(text).not.toContain('example.com')
    expect(textOf(shown[2]!.text)).toContain('No such link')
  })

  test('follows the visitor where a link leads elsewhere for now', async () => {
    const { short_code } = await makeLink(rig, caller, {
      expires_at: '2020-01-01T00:00:00Z',
      fallback_url: 'https://fallback.example/',
    })
    expect((await preview(short_code)).text).toContain('Continue to fallback.example')
  })

  test('says when the destination was changed, and what it depends on', async () => {
    const { short_code, id } = await makeLink(rig, caller)
    const put = (body: object) => rig.call('PUT', `/api/links/${short_code}`, { key: caller.key, body })
    await put({ title: 'Another title' })
    expect(textOf((await preview(short_code)).text)).not.toContain('The destination changed')
    await put({ original_url: 'https://example.com/second' })
    expect(textOf((await preview(short_code)).text)).toContain('The destination changed just now.')
    const changedSo = async (ago: number) => {
      const row = rig.store.db.updateTable('link_versions').set({ changed_at: systemClock.nowUs() - ago })
      await row.where('link_id', '=', id).execute()
      return textOf((await preview(short_code)).text)
    }
    expect(await changedSo(90 * MINUTE_US)).toContain('The destination changed 1 hour ago.')
    expect(await changedSo(2.5 * DAY_US)).toContain('The destination changed 2 days ago.')
    expect(await changedSo(40 * DAY_US)).toMatch(/The destination changed on \w+ \d+, \d{4}\./)

    const to = 'https://example.com/ruled'
    const split = [1, 2].map((weight) => ({ to, weight }))
    const rules = [{ when: { country: ['JP'], language: ['de'] }, to }, { split }]
    await put({ rules })
    expect(textOf((await preview(short_code)).text)).toContain(
      'Where you land depends on country, language, and chance. This is where you would land now.',
    )
    // Nobody learns where a limited link leads, nor that it leads elsewhere for others.
    await put({ max_clicks: 5 })
    const limited = textOf((await preview(short_code)).text)
    expect(limited).not.toContain('Where you land')
    expect(limited).not.toContain('example.com/')
  })

  test('takes only GET and HEAD, and only codes', async () => {
    const { short_code } = await makeLink(rig, caller)
    expect((await preview(short_code, 'POST')).status).toBe(405)
    expect(await preview(short_code, 'HEAD')).toMatchObject({ status: 200, text: '' })
    for (const path of ['/ab+', '/docs+', '/a.b+', `/${'a'.repeat(65)}+`, `/${short_code}++`])
      expect(textOf((await rig.call('GET', path, { headers: PAGE })).text)).toContain('No such page')
  })
})

const preview = (code: string, method = 'GET') => rig.call(method, `/${code}+`, { headers: PAGE })
const textOf = (page: string) =>
  page
    .slice(page.indexOf('<main'))
    .replaceAll(/<svg[^]*?<\/svg>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

async function clicksOf(code: string, wanted: number) {
  const ask = () => rig.call('GET', `/api/analytics/links/${code}`, { key: caller.key })
  const { data } = (await eventually(ask, ({ body }) => body.data.total_clicks >= wanted)).body
  return [data.total_clicks, data.bot_clicks]
}
