import { beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { PackedFile } from '../../src/http/dashboard-site/compressed-file.ts'
import { CHUNK_OF_PAGE } from '../chunks/chunk-of-page.ts'
import { buildDashboard, LIST_PAGE, preloadingPage, SIGNED_IN_PAGE } from './build-dashboard.ts'

/** Before the first rows of the list, which then take one request more. */
const BEFORE_ROWS_BYTES_MAX = 26_000

let files: PackedFile[]
let page: string

beforeAll(async () => {
  files = await buildDashboard()
  page = textOf('/dashboard/')
})

describe('the build', () => {
  test('has nothing inline: neither script nor style', () => {
    for (const html of [page, textOf(SIGNED_IN_PAGE)]) {
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:/)
    }
  })

  test('has the shell in its HTML, and the frame of the sign-in page in the one for browsers without a session', () => {
    const signedIn = textOf(SIGNED_IN_PAGE)
    expect(signedIn).toContain('<div id="root" data-first-paint="signed-in"><div class="shell">')
    for (const name of ['Links', 'Overview', 'API keys', 'Settings'])
      expect(signedIn).toContain(`${name}</a>`)
    expect(page).toContain('<div id="root" data-first-paint="signed-out"><div class="signed-out">')
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
    const pages = [
      '/dashboard/',
      SIGNED_IN_PAGE,
      LIST_PAGE,
      ...Object.keys(CHUNK_OF_PAGE).map(preloadingPage),
    ]
    expect(others.map(({ path }) => path).sort()).toEqual(pages.sort())
  })

  test('names the chunk of a page in the HTML of that page alone', () => {
    const preloads = (html: string) =>
      html.match(/(?<=modulepreload" fetchpriority="low" crossorigin href=")[^"]+/g)!
    const plain = preloads(textOf(SIGNED_IN_PAGE))
    expect(new Set(plain).size).toBe(plain.length)
    for (const [segment, chunk] of Object.entries(CHUNK_OF_PAGE)) {
      const more = preloads(textOf(preloadingPage(segment))).slice(plain.length)
      expect(more[0]).toStartWith(`/dashboard/assets/${chunk}-`)
      expect(more.filter((path) => path.includes('world-map'))).toEqual([])
    }
  })

  test('shows the name, the tabs and the first rows of the list after few bytes', () => {
    const html = textOf(LIST_PAGE)
    for (const part of ['<h1>Links</h1>', '>All links</span>', '>Expiring soon</span>', 'first-rows'])
      expect(html).toContain(part)
    const [, script] = /<script[^>]* src="([^"]+)"/.exec(html)!
    const needed = new Set([script!])
    for (const path of needed)
      for (const [, imported] of textOf(path).matchAll(/(?:import|from)"(\/dashboard\/[^"]+)"/g))
        needed.add(imported!)
    const styles = firstLoad().filter((path) => path.endsWith('.css'))
    const first = [LIST_PAGE, ...styles, ...needed]
    expect(first.length).toBeLessThanOrEqual(6)
    expect(first.reduce((sum, path) => sum + sizeOf(path), 0)).toBeLessThanOrEqual(BEFORE_ROWS_BYTES_MAX)
  })

  test('has the same content in every encoding of a file', () => {
    for (const { identity, br, gzip } of files) {
      if (br) expect(brotliDecompressSync(bytes(br)).equals(bytes(identity))).toBe(true)
      if (gzip) expect(gunzipSync(bytes(gzip)).equals(bytes(identity))).toBe(true)
    }
    expect(files.filter(({ br }) => br).length).toBeGreaterThan(10)
  })

  test('loads at most 130 KB at first', () => {
    const sizes = ['/dashboard/', ...firstLoad()].map(sizeOf)
    expect(sizes.length).toBeGreaterThan(2)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
  })

  test('loads every chunk in few requests, each of which is a round trip on a slow line', () => {
    const first = withImports(firstLoad().filter((path) => path.endsWith('.js')))
    for (const chunk of ['after-paint', 'editing', 'management', 'reports', 'searching', 'signing-in']) {
      const more = withImports([pathOf(chunk)]).difference(first)
      expect([chunk, more.size]).toEqual([chunk, Math.min(more.size, CHUNK_FILES_MAX)])
    }
  })

  test('loads the chart with the pages about clicks, and the map later than those', () => {
    const reports = pathOf('reports')
    expect(textOf(reports)).toContain('u-wrap')
    for (const path of firstLoad()) expect(textOf(path)).not.toContain('u-wrap')
    expect(withImports([...firstLoad(), reports])).not.toContain(pathOf('world-map'))
  })

  test('makes no format of numbers or dates when a page about clicks is loaded', () => {
    for (const path of withImports([pathOf('reports')]))
      expect(textOf(path)).not.toMatch(/(?<=[=,;(])new Intl\./)
  })
})

/** What one later part of the dashboard may take, with all that it imports. */
const CHUNK_FILES_MAX = 15

/** For scripts, styles and HTML of a first visit, compressed. */
const FIRST_LOAD_BYTES_MAX = 130_000

const bytes = (text = '') => Buffer.from(text, 'base64')
const textOf = (path: string) => bytes(files.find((file) => file.path === path)!.identity).toString()
const pathOf = (chunk: string) =>
  files.find(({ path }) => path.startsWith(`/dashboard/assets/${chunk}-`))!.path
const sizeOf = (path: string) => {
  const { br, identity } = files.find((file) => file.path === path)!
  return bytes(br ?? identity).length
}
const named = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, path]) => path!)
/** Everything the HTML names, once each: icon, styles, the script, and the chunks it needs at once. */
const firstLoad = () => [...new Set(named(/(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g))]

/** These scripts, and what they import before they run. */
function withImports(paths: string[]): Set<string> {
  const needed = new Set(paths)
  for (const path of needed) {
    for (const [, imported] of textOf(path).matchAll(/(?:from|import)"(\/dashboard\/assets\/[^"]+)"/g))
      needed.add(imported!)
  }
  return needed
}
