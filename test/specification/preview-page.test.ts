import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service-rig.ts'
import { DESTINATION, FIREFOX, makeLink, open, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const PAGE = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'User-Agent': FIREFOX }
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
      /^The link localhost:\d+\/\S+ leads to https:\/\/example\.com\/launch Launch &lt;b&gt; Title given by the owner of the link In use since \w+ \d+, \d+\. Continue to example\.com What is this\?$/,
    )
    expect(text).toContain('https://<b>example.com</b>/launch')
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)

    const href = /class="button button-primary"\s+href="([^"]+)"/.exec(text)![1]!
    expect(href).toBe(`/${short_code}?via=preview`)
    expect((await open(rig, href.slice(1))).headers.get('location')).toBe(DESTINATION)
    expect(await clicksOf(short_code, 1)).toEqual([1, 0])
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

  test('takes only GET and HEAD, and only codes', async () => {
    const { short_code } = await makeLink(rig, caller)
    expect((await preview(short_code, 'POST')).status).toBe(405)
    expect(await preview(short_code, 'HEAD')).toMatchObject({ status: 200, text: '' })
    for (const path of ['/ab+', '/docs+', '/a.b+', `/${'a'.repeat(65)}+`, `/${short_code}++`])
      expect(textOf((await rig.call('GET', path, { headers: PAGE })).text)).toContain('No such page')
  })
})
