import { beforeAll, describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import decodeQr from 'qr/decode.js'
import { pngFile } from '../../src/qr/png-file.ts'
import { readRgbaPng } from '../rigs/read-rgba-png.ts'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  invalid,
  LINK_NOT_FOUND,
  makeLink,
  open,
  refusal,
  statusAndBody,
  useContractRig,
} from './contract-rig.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

const rig = useContractRig()
const caller = useCaller(rig)
let code: string

beforeAll(async () => {
  code = (await makeLink(rig, caller)).short_code
})

describe('the QR code of a link', () => {
  test('is an SVG that scans as the short URL', async () => {
    const { status, headers, text } = await qr()
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(text).toStartWith('<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"')
    expect(text).toContain('fill="#ffffff"')
    expect(text).toContain('fill="#000000"')
    expect(decodeQr(drawSvg(text))).toBe(`${rig.config.baseUrl}/${code}`)
    expect((await qr('?format=svg')).text).toBe(text)
  })

  test('is at the URL that the API returns', async () => {
    const { body } = await rig.call('GET', `/api/links/${code}`, { key: caller.key })
    expect(body.data.qr_code_url).toBe(`${rig.config.baseUrl}/qr/${code}`)
  })

  test('is a PNG on request', async () => {
    const { headers, picture } = await png('')
    expect(headers.get('content-type')).toBe('image/png')
    expect([picture.width, picture.height]).toEqual([256, 256])
    expect(decodeQr(picture)).toBe(`${rig.config.baseUrl}/${code}`)
  })

  test('has the requested size, margin, level and colors, and still scans', async () => {
    const styles = [
      'size=64&margin=0&level=L',
      'size=1024&margin=16&level=H',
      'size=300&margin=2&level=Q&color=%23102030&background=fed',
      'level=m&color=00f',
    ]
    for (const style of styles) {
      const { picture } = await png(`&${style}`)
      expect(decodeQr(picture)).toBe(`${rig.config.baseUrl}/${code}`)
      const size = Number(new URLSearchParams(style).get('size') ?? 256)
      const { text } = await qr(`?${style}`)
      expect([picture.width, text.match(/width="(\d+)"/)?.[1]]).toEqual([size, String(size)])
      expect(decodeQr(drawSvg(text))).toBe(`${rig.config.baseUrl}/${code}`)
    }
    expect((await qr('?size=2048')).text).toContain('width="2048"')
    const { text } = await qr('?color=%23102030&background=fed')
    expect(text).toContain('fill="#ffeedd"')
    expect(text).toContain('fill="#102030"')
  })

  test('exists for an inactive link, with the same URL', async () => {
    const made = await makeLink(rig, caller, { is_active: false })
    const { status, text } = await qr('', made.short_code)
    expect([status, decodeQr(drawSvg(text))]).toEqual([200, made.short_url])
  })

  test('may be shown by any origin', async () => {
    expect((await qr()).headers.get('access-control-allow-origin')).toBe('*')
  })

  test('is not a click', async () => {
    const made = await makeLink(rig, caller)
    for (const query of ['', '?format=png']) await qr(query, made.short_code)
    await open(rig, made.short_code)
    const read = () => rig.call('GET', `/api/links/${made.short_code}`, { key: caller.key })
    expect((await eventually(read, ({ body }) => body.data.click_count > 0)).body.data.click_count).toBe(1)
  })
})

describe('in the style of the workspace', () => {
  const logo = `data:image/png;base64,${pngFile({ side: 2, bitDepth: 8, colorType: 6 }, new Uint8Array(18).fill(0)).toString('base64')}`
  const setStyle = async (qr_style: object | null) => {
    const { status } = await rig.call('PUT', '/api/workspace/settings', {
      key: caller.key,
      body: { qr_style },
    })
    expect(status).toBe(200)
  }
  const scannedPng = async (query: string) => {
    const response = await documentedFetch(`${rig.url}/qr/${code}?format=png&style=workspace${query}`)
    const { width, height, rgba } = readRgbaPng(Buffer.from(await response.arrayBuffer()))
    return [width, decodeQr({ width, height, data: rgba }, { format: 'RGBA', timeLimit: 60_000 })]
  }
  const url = () => `${rig.config.baseUrl}/${code}`

  test('a code is black and white until a style is saved, and marks its scans', async () => {
    const { status, headers, text } = await qr('?style=workspace')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(new Set(text.match(/#[0-9a-f]{6}/g))).toEqual(new Set(['#000000', '#ffffff']))
    expect(await scannedPng('')).toEqual([256, `${url()}?qr`])
  })

  test('a code has the saved style, as SVG and PNG, and may show its logo', async () => {
    await setStyle({
      modules: 'dots',
      corners: 'round',
      color: '#0F3D56',
      logo,
      text: 'Scan me',
      counts_scans: false,
    })
    const { headers, text } = await qr('?style=workspace&size=2048')
    expect(text).toContain('width="2048"')
    expect(text).toContain('fill="#0f3d56"')
    expect(text).toContain('href="data:image/png;base64,')
    expect(text).toContain('>Scan me</text></svg>')
    expect(headers.get('content-security-policy')).toContain('img-src data:')
    expect(await scannedPng('&size=1024')).toEqual([1024, url()])
    // Everything else is as before.
    expect((await qr()).text).toStartWith('<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"')
    await setStyle(null)
    expect((await qr('?style=workspace')).text).not.toContain('#0f3d56')
  })

  test('a code has nothing of another workspace', async () => {
    const stranger = await rig.makeCaller()
    await setStyle({ color: '#123456' })
    const made = await makeLink(rig, stranger)
    expect((await qr('?style=workspace', made.short_code)).text).not.toContain('#123456')
  })

  test('a logo that cannot be drawn is not saved', async () => {
    const bad = logo.slice(0, 80)
    const body = { qr_style: { logo: bad } }
    const answer = await rig.call('PUT', '/api/workspace/settings', { key: caller.key, body })
    const errors = { 'qr_style.logo': ['The logo cannot be read. Save it as PNG again.'] }
    expect(statusAndBody(answer)).toEqual({ status: 422, body: invalid(errors) })
  })
})

describe('in the style of the link', () => {
  const colorsOf = async (link: string, style: string) =>
    (await qr(`?style=${style}`, link)).text.match(/#[0-9a-f]{6}/g)
  const putLink = (link: string, body: object) =>
    rig.call('PUT', `/api/links/${link}`, { key: caller.key, body })
  const logo = `data:image/png;base64,${pngFile({ side: 2, bitDepth: 8, colorType: 6 }, new Uint8Array(18).fill(0)).toString('base64')}`

  test('a code has its own style, and that of the workspace where it has none', async () => {
    const body = { qr_style: { color: '#aa0000' } }
    await rig.call('PUT', '/api/workspace/settings', { key: caller.key, body })
    const { short_code: link } = await makeLink(rig, caller)
    expect(await colorsOf(link, 'link')).toContain('#aa0000')
    expect((await putLink(link, { qr_style: { color: '#00aa00', logo } })).status).toBe(200)
    expect(await colorsOf(link, 'link')).toContain('#00aa00')
    expect((await qr('?style=link', link)).text).toContain('href="data:image/png;base64,')
    expect(await colorsOf(link, 'workspace')).toContain('#aa0000')
    expect((await putLink(link, { qr_style: null })).status).toBe(200)
    expect(await colorsOf(link, 'link')).toContain('#aa0000')
  })

  test('what cannot be drawn or is too large is refused by its name, and nothing is stored', async () => {
    const { short_code: link } = await makeLink(rig, caller, { qr_style: { color: '#00aa00' } })
    const noise = crypto.getRandomValues(new Uint8Array(100 * 401))
    for (let row = 0; row < 100; row += 1) noise[row * 401] = 0
    const large = pngFile({ side: 100, bitDepth: 8, colorType: 6 }, noise).toString('base64')
    const tooLarge = { qr_style: ['The qr style may not be larger than 32 KB. Use a smaller logo.'] }
    const notRead = 'The logo cannot be read. Save it as PNG again.'
    const refused: [unknown, Record<string, string[]>][] = [
      ['red', { qr_style: ['The qr style must be an object.'] }],
      [{ corners: 'sharp' }, { 'qr_style.corners': ['The corners must be one of square, rounded, round.'] }],
      [{ shade: 1 }, { 'qr_style.shade': ['The shade field is unknown.'] }],
      [{ logo: logo.slice(0, 80) }, { 'qr_style.logo': [notRead] }],
      [{ logo: `data:image/png;base64,${large}` }, tooLarge],
    ]
    for (const [style, errors] of refused)
      expect(statusAndBody(await putLink(link, { qr_style: style }))).toEqual({
        status: 422,
        body: invalid(errors),
      })
    expect(await colorsOf(link, 'link')).toContain('#00aa00')
    const links = [{ original_url: DESTINATION }, { original_url: DESTINATION, qr_style: refused[3]![0] }]
    const bulk = await rig.call('POST', '/api/bulk-shorten', { key: caller.key, body: { links } })
    expect(statusAndBody(bulk)).toEqual({
      status: 422,
      body: invalid({ 'links.1.qr_style.logo': [notRead] }),
    })
  })

  test('a code in the trash keeps its style', async () => {
    const { short_code: link } = await makeLink(rig, caller, { qr_style: { color: '#00aa00' } })
    await rig.call('DELETE', `/api/links/${link}`, { key: caller.key })
    await rig.call('POST', `/api/links/${link}/restore`, { key: caller.key })
    expect(await colorsOf(link, 'link')).toContain('#00aa00')
  })
})

describe('a QR code is refused', () => {
  test('with 404 for a code that is unknown, deleted or invalid', async () => {
    const made = await makeLink(rig, caller)
    await rig.call('DELETE', `/api/links/${made.short_code}`, { key: caller.key })
    for (const unknown of ['never-made', made.short_code, 'x', 'a.b'])
      expect(statusAndBody(await qr('?size=1', unknown))).toEqual({ status: 404, body: LINK_NOT_FOUND })
  })

  test('with 400 when its path is not percent-encoded correctly', async () => {
    const body = refusal('url_malformed', 'The URL is not percent-encoded correctly.')
    expect(statusAndBody(await qr('?color=%zz'))).toEqual({ status: 400, body })
  })

  const SIZE = 'The size must be an integer between 64 and 2048.'
  const MARGIN = 'The margin must be an integer between 0 and 16.'
  const faults: [query: string, errors: Record<string, string[]>][] = [
    ['format=gif', { format: ['The format must be svg or png.'] }],
    ['style=own', { style: ['The style must be link or workspace.'] }],
    ['style=workspace&color=f00', { color: ['The color cannot be combined with a style.'] }],
    [
      'style=workspace&format=png&size=1025',
      { size: ['The size may not be greater than 1024 for a PNG in this style.'] },
    ],
    ['size=1&margin=99', { size: [SIZE], margin: [MARGIN] }],
  ]
  test.each(faults)('with 422 for ?%s', async (query, errors) => {
    expect(statusAndBody(await qr(`?${query}`))).toEqual({ status: 422, body: invalid(errors) })
  })
})

type Picture = { width: number; height: number; data: Uint8Array }

const SCALE = 4

/** Draws what the service writes: a path of `M<x> <y>h<width>v1h-<width>z` on a square. */
function drawSvg(svg: string): Picture {
  const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const width = side * SCALE
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let row = 0; row < SCALE; row++) {
      const start = (Number(y) * SCALE + row) * width + Number(x) * SCALE
      for (let i = start; i < start + Number(length) * SCALE; i++) data.fill(0, i * 4, i * 4 + 3)
    }
  }
  return { width, height: width, data }
}

/** Reads a PNG of one bit a pixel with a palette and without filters. */
function readPng(bytes: Buffer): Picture {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const [width, height] = [chunks.get('IHDR')!.readUInt32BE(0), chunks.get('IHDR')!.readUInt32BE(4)]
  const palette = chunks.get('PLTE')!
  const pixels = inflateSync(chunks.get('IDAT')!)
  const rowBytes = 1 + Math.ceil(width / 8)
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = (pixels[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1
      data.set(palette.subarray(bit * 3, bit * 3 + 3), (y * width + x) * 4)
    }
  }
  return { width, height, data }
}

const qr = (query = '', ofCode = code) => rig.call('GET', `/qr/${ofCode}${query}`)

/** A picture is read as bytes, which `call` would take for text. */
async function png(query: string) {
  const response = await documentedFetch(`${rig.url}/qr/${code}?format=png${query}`)
  return { headers: response.headers, picture: readPng(Buffer.from(await response.arrayBuffer())) }
}
