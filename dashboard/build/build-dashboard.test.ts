import { beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { PackedFile, SignedInPage } from '../../src/http/dashboard/packed-file.ts'
import { buildDashboard } from './build-dashboard.ts'

/** What a first visit may load over the wire before it can do anything. */
const FIRST_LOAD_BYTES_MAX = 130_000
const SIGNED_IN_PAGE: SignedInPage = '/dashboard/#signed-in'

let files: PackedFile[]
let page: string

const bytes = (text = '') => Buffer.from(text, 'base64')
const textOf = (path: string) => bytes(files.find((file) => file.path === path)!.identity).toString()
const named = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, path]) => path!)
/** What the page names itself: styles, the script, and the chunks that the script imports at once. */
const firstLoad = () => named(/(?:href|src)="(\/dashboard\/[^"]+)"/g)

beforeAll(async () => {
  files = await buildDashboard('index.html')
  page = textOf('/dashboard/')
})

describe('the build', () => {
  test('has nothing inline: neither script nor style', () => {
    for (const html of [page, textOf(SIGNED_IN_PAGE)]) {
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:/)
    }
  })

  test('has the shell in its page before any script, and of the sign-in page for who has no session', () => {
    const signedIn = textOf(SIGNED_IN_PAGE)
    expect(signedIn).toContain('<div id="root" data-look="signed-in"><div class="shell">')
    for (const name of ['Links', 'Overview', 'API keys', 'Account']) expect(signedIn).toContain(`${name}</a>`)
    expect(page).toContain('<div id="root" data-look="signed-out"><div class="door">')
    const rest = (html: string) => html.replace(/<div id="root".*<noscript>/s, '')
    expect(rest(signedIn)).toBe(rest(page))
  })

  test('loads nothing from elsewhere', () => {
    expect(named(/(?:href|src)="([^"]+)"/g).filter((path) => !path.startsWith('/'))).toEqual([])
    for (const { path } of files.filter(({ path }) => path.endsWith('.css'))) {
      expect(textOf(path)).not.toMatch(/@import|url\((?!data:)/)
    }
  })

  test('names every file but the page by its content', () => {
    const others = files.filter(({ path }) => !/^\/dashboard\/assets\/[\w-]+-[0-9a-z]{8}\.\w+$/.test(path))
    expect(others.map(({ path }) => path).sort()).toEqual(['/dashboard/', SIGNED_IN_PAGE].sort())
  })

  test('has every form of a file say the same', () => {
    for (const { identity, br, gzip } of files) {
      if (br) expect(brotliDecompressSync(bytes(br)).equals(bytes(identity))).toBe(true)
      if (gzip) expect(gunzipSync(bytes(gzip)).equals(bytes(identity))).toBe(true)
    }
    expect(files.filter(({ br }) => br).length).toBeGreaterThan(10)
  })

  test('loads at most 130 KB at first', () => {
    const sizes = ['/dashboard/', ...firstLoad()].map((path) => {
      const { br, identity } = files.find((file) => file.path === path)!
      return bytes(br ?? identity).length
    })
    expect(sizes.length).toBeGreaterThan(2)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
  })

  test('leaves the chart and the map until they are looked at', () => {
    const late = files.filter(({ path }) => /series-chart|world-map/.test(path)).map(({ path }) => path)
    expect(late.length).toBe(2)
    for (const path of late) expect(firstLoad()).not.toContain(path)
    for (const path of firstLoad()) expect(textOf(path)).not.toContain('uPlot')
  })

  test('has no part of the gallery', () => {
    for (const { path } of files) expect(textOf(path)).not.toMatch(/All parts in all states/)
  })
})
