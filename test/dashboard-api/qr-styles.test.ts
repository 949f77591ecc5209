import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Browser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'

const rig = useDashboardRig()
let browser: Browser
let code: string
let made = 0

beforeAll(async () => {
  browser = (await rig.user()).browser
})

beforeEach(openStyles)

test('a style that is not stored is drawn and judged', async () => {
  const { svg, verdict } = await draw({ modules: 'dots', color: '#0F3D56', text: 'Scan me' })
  expect(svg).toStartWith('<svg xmlns="http://www.w3.org/2000/svg" width="1024"')
  expect(svg).toContain('fill="#0f3d56"')
  expect(svg).toContain('>Scan me</text></svg>')
  expect(verdict).toMatchObject({ is_read: true, is_light_on_dark: false })
  expect(verdict.contrast).toBeCloseTo(11.5, 1)
})

test('bad fields are named, all at once', async () => {
  const logo = `data:image/png;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`
  const style = { modules: 'stars', color: 'red', logo, logo_size: 31, text: 7, quiet_zone: 17, other: 1 }
  const { status, body } = await browser.request('POST', `/links/${code}/qr`, style)
  expect(status).toBe(422)
  expect(Object.keys(body.errors).sort()).toEqual(Object.keys(style).sort())
})

test('what a scan opens is the link, and the mark goes no further', async () => {
  for (const query of ['?qr', '?qr=', '?QR=1']) {
    const { status, headers } = await rig.call('GET', `/${code}${query}`)
    expect([status, headers.get('location')]).toEqual([302, 'https://example.com/'])
  }
})

async function openStyles(): Promise<void> {
  code = `poster-${++made}`
  const link = { original_url: 'https://example.com/', custom_code: code, forward_query: true }
  await browser.succeed('POST', '/links', link)
}

const draw = (style: object) => browser.succeed('POST', `/links/${code}/qr`, style)
