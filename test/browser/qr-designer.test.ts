import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes, eventually } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { chooseForLink, press as pressOn } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the QR designer', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  let requests: string[]
  let code: string
  let tests = 0

  beforeAll(addOperator)
  beforeEach(openWithLink)

  test('every look that it offers can be read as the browser draws it', async () => {
    await chooseLogo('logo.svg', 'image/svg+xml', Buffer.from(LOGO_SVG))
    await page.getByRole('button', { name: 'Remove logo' }).waitFor()
    await saysWell()
    const { logo } = (await saveStyle()).qr_style
    expect(logo).toStartWith('data:image/png;base64,')
    for (const modules of ['square', 'rounded', 'dots']) {
      for (const corners of ['square', 'rounded', 'round']) {
        for (const style of [{ text: 'Scan me' }, { logo, logo_size: 30 }, { logo, background: null }]) {
          const input = { modules, corners, color: '#0f3d56', corner_color: '#b4442c', ...style }
          const { svg } = await user.browser.succeed('POST', `/links/${code}/qr`, input)
          expect(await scanned(`data:image/svg+xml,${encodeURIComponent(svg)}`, 300)).toBe(`${shortUrl()}?qr`)
        }
      }
    }
  }, 60_000)

  async function saveStyle() {
    await press('Save as default style')
    await page.getByRole('status').getByText('Saved as default style').waitFor()
    return settings()
  }

  test('draws what is chosen, and says at all times what it is worth', async () => {
    expect(await shownText()).toBe(`${shortUrl()}?qr`)
    await page.getByText('Contrast 21 : 1, smallest print 15 mm').waitFor()
    await pick('Modules', 'Dots')
    await pick('Corners', 'Round')
    await field('Modules').fill('#0f3d56')
    await field('Corners').fill('0F3D56')
    await page.getByText('Contrast 11.5 : 1').waitFor()
    await page.getByRole('switch', { name: 'Count QR scans separately' }).click()
    await page.getByText('Checking…').waitFor({ state: 'detached' })
    await saysWell()
    expect(await shownText()).toBe(shortUrl())
  })

  test('warns of a small quiet zone, and speaks of error correction only with a logo', async () => {
    await saysWell()
    expect(await page.getByText('Error correction').count()).toBe(0)
    await page.getByLabel('Quiet zone').selectOption('0')
    await page.getByText('Some cameras need a quiet zone of 4 modules.').waitFor()
    await becomes(() => page.getByText('Scans well.').count(), 0)
    await page.getByLabel('Quiet zone').selectOption('4')
    await saysWell()
  })

  test('darkens colors that are too pale, and warns of light codes', async () => {
    await field('Modules').fill('#ff9d86')
    await field('Background').fill('#fdf1ea')
    await page.getByText('Contrast 1.8 : 1. Many cameras will not read it.').waitFor()
    await press('Darken to 4.5 : 1')
    await page.getByText('Contrast 4.5 : 1').waitFor()
    expect(await field('Modules').inputValue()).toMatch(/^#[89A]/)
    await field('Modules').fill('#ffffff')
    await field('Corners').fill('#ffffff')
    await field('Background').fill('#102030')
    await page.getByText('Some cameras do not read light codes on dark.').waitFor()
    // Downloads stay possible.
    expect((await saved('SVG')).bytes.toString()).toContain('#102030')
  })

  test('saves the style for the workspace; the next link begins with it, and so does its public picture', async () => {
    await becomes(() => keptBadge().count(), 0)
    await pick('Modules', 'Rounded')
    await keptBadge().waitFor()
    await saysWell()
    expect((await saveStyle()).qr_style.modules).toBe('rounded')
    await becomes(() => keptBadge().count(), 0)
    await openDesigner()
    await becomes(() => page.getByRole('radio', { name: 'Rounded' }).first().isChecked(), true)
    const { text } = await rig.call('GET', `/qr/${code}?style=workspace&size=1024`)
    const source = (await picture().getAttribute('src'))!
    expect(decodeURIComponent(source.replace('data:image/svg+xml,', ''))).toBe(text)
    await page.getByLabel('Style', { exact: true }).selectOption('Plain')
    await page.getByText('Contrast 21 : 1').waitFor()
    await becomes(() => page.getByRole('radio', { name: 'Square' }).first().isChecked(), true)
    expect((await settings()).qr_style.modules).toBe('rounded')
  })

  test('keeps the style with the link, for every browser of its editors, also if it is closed at once', async () => {
    await pick('Modules', 'Dots')
    await keptBadge().waitFor()
    await field('Modules').fill('#0f3d56')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const style = await eventually(stored, (kept) => kept?.color === '#0f3d56')
    expect(style).toMatchObject({ modules: 'dots', color: '#0f3d56' })
    expect((await settings()).qr_style).toBeNull()
    await openDesigner()
    await becomes(() => page.getByRole('radio', { name: 'Dots' }).isChecked(), true)
    await becomes(() => field('Modules').inputValue(), '#0F3D56')
    await page.getByLabel('Style', { exact: true }).selectOption('Default style')
    expect(await eventually(stored, (kept) => kept === null)).toBeNull()
  })

  test('changes nothing for a viewer', async () => {
    const viewer = await memberOf(rig, user, 'viewer')
    page = await rig.open('/', { user: viewer })
    const edits: string[] = []
    page.on('request', (request) => void (request.method() === 'PUT' && edits.push(request.url())))
    await chooseForLink(page, code, 'QR code')
    await saysWell()
    await pick('Modules', 'Dots')
    await page.getByText('Changed', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect([edits, await stored()]).toEqual([[], null])
  })

  test('gives the picture as SVG, as PNG in its size, and to the clipboard', async () => {
    await field('Text below').fill('Scan <me> & go')
    await saysWell()
    const svg = await saved('SVG')
    expect(svg.name).toBe(`${new URL(shortUrl()).hostname}-${code}.svg`)
    expect(svg.bytes.toString()).toContain('>Scan &lt;me&gt; &amp; go</text></svg>')
    await page.getByLabel('Size of the PNG').selectOption('512')
    const png = await saved('PNG')
    expect(png.name).toBe(`${new URL(shortUrl()).hostname}-${code}.png`)
    // 37 modules wide and 41 high.
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([512, 568])
    const url = `data:image/png;base64,${png.bytes.toString('base64')}`
    expect(await scanned(url)).toBe(`${shortUrl()}?qr`)
    await press('Copy image')
    await page.getByText('Image copied').waitFor()
    const types = await page.evaluate(async () =>
      (await navigator.clipboard.read()).flatMap(({ types }) => types),
    )
    expect(types).toEqual(['image/png'])
  })

  test('takes a logo, and nothing of what a hostile one would do', async () => {
    const hostile = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" onload="fetch('/hostile-load')">
      <script>fetch('/hostile-script')</script><style>@import url('/hostile-style')</style>
      <image href="${rig.config.baseUrl}/hostile-image" width="5" height="5"/><use xlink:href="/hostile-use#a"/>
      <rect width="40" height="40" fill="#0f3d56"/><text>&b;</text></svg>`
    await chooseLogo('logo.svg', 'image/svg+xml', Buffer.from(hostile))
    await page.getByRole('button', { name: 'Remove logo' }).waitFor()
    await saysWell()
    expect(requests.filter((url) => url.includes('hostile'))).toEqual([])
    const svg = (await saved('SVG')).bytes.toString()
    expect(svg).not.toMatch(/script|hostile|entity/i)
    expect(svg.match(/<image [^>]*href="data:image\/png;base64,/g)).toHaveLength(1)
    await page.getByLabel('Size', { exact: true }).fill('30')
    await page.getByLabel('Clear space around it').uncheck()
    await page.getByText('30%').waitFor()
    await saysWell()
    expect(await shownText()).toBe(`${shortUrl()}?qr`)
    await press('Remove logo')
    await page.getByRole('button', { name: 'Upload' }).waitFor()
  })

  test('shrinks a large logo, and refuses what is none', async () => {
    const url = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 900
      canvas.height = 300
      const context = canvas.getContext('2d')!
      for (let x = 0; x < 900; x += 3) {
        for (let y = 0; y < 300; y += 3) {
          context.fillStyle = `rgb(${(x * y * 7) % 256} ${(x * 31 + y) % 256} ${(y * 17) % 256})`
          context.fillRect(x, y, 3, 3)
        }
      }
      return canvas.toDataURL('image/png')
    })
    await chooseLogo('logo.png', 'image/png', Buffer.from(url.split(',')[1]!, 'base64'))
    await page.getByRole('button', { name: 'Remove logo' }).waitFor()
    await saysWell()
    for (const [name, type, bytes] of [
      ['logo.png', 'image/png', Buffer.from('GIF89a')],
      ['logo.svg', 'image/svg+xml', Buffer.from('<svg')],
      ['logo.gif', 'image/gif', Buffer.from('GIF89a')],
      ['large.png', 'image/png', Buffer.alloc(1024 * 1024 + 1)],
    ] as const) {
      await chooseLogo('good.svg', 'image/svg+xml', Buffer.from(LOGO_SVG))
      await page.getByText('Choose an SVG or PNG of at most 1 MB.').waitFor({ state: 'detached' })
      await chooseLogo(name, type, bytes)
      await page.getByText('Choose an SVG or PNG of at most 1 MB.').waitFor()
    }
  })

  test('prints stickers at their real size on one sheet, and nothing else', async () => {
    await press('Print')
    await becomes(() => page.getByLabel('Paper').inputValue(), 'a4')
    await page.getByLabel('Stickers').selectOption('60')
    await page.getByRole('option', { name: '12 stickers, 60 × 60 mm' }).waitFor({ state: 'attached' })
    await page.emulateMedia({ media: 'print' })
    const stickers = page.locator('.printed .sticker')
    await becomes(() => stickers.count(), 12)
    const box = (await stickers.nth(4).boundingBox())!
    expect(box.width / MM).toBeCloseTo(60, 0)
    expect(box.height / MM).toBeCloseTo(60, 0)
    await becomes(() => page.getByRole('dialog').count(), 0)
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf).toContain('/MediaBox [0 0 594.95996 841.91998]')
    expect(/\/Type \/Pages\s*\/Count (\d+)/.exec(pdf)?.[1]).toBe('1')
    await page.emulateMedia({ media: 'screen' })
    await press('Back')
    await becomes(() => page.locator('.printed').count(), 0)
  })

  test('works by keyboard alone', async () => {
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement
        return element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent ?? ''
      })
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab')
        if ((await focused()) === name) return
      }
      throw new Error(`${name} is not reached; at ${await focused()}`)
    }
    await tabTo('Square')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('Rounded')
    await tabTo('Transparent background')
    await page.keyboard.press('Space')
    await tabTo('Text below')
    await page.keyboard.type('Scan me')
    await saysWell()
    await tabTo('SVG')
    const waiting = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const svg = await Bun.file(await (await waiting).path()).text()
    expect(svg).toContain('Scan me</text>')
    expect(svg).not.toContain('<rect')
    await page.keyboard.press('Escape')
    await becomes(() => page.getByRole('dialog').count(), 0)
  })

  test.each([
    ['light', 1440, 'all'],
    ['dark', 1440, 'only the colors'],
    ['light', 390, 'all but the colors'],
  ] as const)('axe finds nothing, %s, %d pixels wide', async (theme, width, rules) => {
    await openDesigner({ theme, width, height: 900 })
    await chooseLogo('logo.svg', 'image/svg+xml', Buffer.from(LOGO_SVG))
    await field('Modules').fill('#ff9d86')
    await page.getByText('Many cameras will not read it').waitFor()
    expect(await axeFindings(page, rules)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await press('Print')
    expect(await axeFindings(page, rules)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  async function addOperator(): Promise<void> {
    await rig.user()
  }

  async function openWithLink(): Promise<void> {
    user = await rig.user()
    code = `poster-${++tests}`
    const link = { original_url: 'https://example.com/', custom_code: code }
    await user.browser.succeed('POST', '/links', link)
    await openDesigner()
  }

  async function openDesigner(look: Look = {}) {
    page = await rig.open('/', { user, ...look })
    requests = []
    page.on('request', (request) => requests.push(request.url()))
    await chooseForLink(page, code, 'QR code')
    await saysWell()
  }

  const shortUrl = () => `${rig.config.baseUrl}/${code}`
  const saysWell = () => page.getByText('Scans well.').waitFor()
  const picture = () => page.getByRole('img', { name: `QR code for ${shortUrl()}` })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const press = (name: string) => pressOn(page, name)

  const pick = (group: string, name: string) =>
    page.getByRole('group', { name: group }).getByRole('radio', { name, exact: true }).check()

  const keptBadge = () => page.getByText('Saved for this link', { exact: true })
  const stored = async () => (await user.browser.succeed('GET', `/links/${code}`)).qr_style
  const settings = () => user.browser.succeed('GET', '/workspace/settings')

  const chooseLogo = (name: string, mimeType: string, buffer: Buffer) =>
    page.getByLabel('Logo file').setInputFiles({ name, mimeType, buffer })

  /** What a camera would read of a picture that the browser draws. */
  async function scanned(source: string, side = 400): Promise<string> {
    const { height, base64 } = await page.evaluate(
      async ([url, side]) => {
        const image = new Image()
        image.src = url
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = side
        canvas.height = Math.round((side * image.naturalHeight) / image.naturalWidth)
        const context = canvas.getContext('2d')!
        context.fillStyle = 'white'
        context.fillRect(0, 0, canvas.width, canvas.height)
        context.drawImage(image, 0, 0, canvas.width, canvas.height)
        const { data, height } = context.getImageData(0, 0, canvas.width, canvas.height)
        return { height, base64: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join('')) }
      },
      [source, side] as const,
    )
    const data = Buffer.from(base64, 'base64')
    return decodeQR({ width: side, height, data }, { format: 'RGBA', timeLimit: 60_000 })
  }

  const shownText = async () => scanned((await picture().getAttribute('src'))!)

  async function saved(button: string) {
    const waiting = page.waitForEvent('download')
    await press(button)
    const download = await waiting
    const bytes = Buffer.from(await Bun.file(await download.path()).arrayBuffer())
    return { name: download.suggestedFilename(), bytes }
  }
})

const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10" fill="#b4442c"/></svg>`
const MM = 96 / 25.4
