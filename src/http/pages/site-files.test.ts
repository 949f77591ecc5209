import { expect, test } from 'bun:test'
import { DAY_US } from '../../runtime/clock.ts'
import { STABLE_CSS_HREF } from '../../html/html.ts'
import { unknownLinkPage } from '../../redirect/notice-pages.ts'
import { CSS_HREF } from './site-css.ts'
import { siteFiles, type SiteSettings } from './site-files.ts'

const NOW_US = Date.UTC(2026, 10, 20) * 1000
const SETTINGS: SiteSettings = {
  baseUrl: 'https://go.example.com',
  securityContact: 'security@example.com',
  signUp: 'open',
  nowUs: NOW_US,
}
const files = siteFiles(SETTINGS)

test('these files are served, each with its type', () => {
  expect([...files].map(([path, { contentType }]) => [path, contentType])).toEqual([
    ['/', 'text/html; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/favicon.ico', 'image/x-icon'],
    ['/favicon.svg', 'image/svg+xml; charset=utf-8'],
    ['/.well-known/gpc.json', 'application/json'],
    [CSS_HREF, 'text/css; charset=utf-8'],
    [STABLE_CSS_HREF, 'text/css; charset=utf-8'],
    ['/.well-known/security.txt', 'text/plain; charset=utf-8'],
  ])
})

test('favicon.ico is an icon of 16 and of 32 pixels', () => {
  const icon = Buffer.from(files.get('/favicon.ico')!.body)
  expect(icon.subarray(0, 4).toString('hex')).toBe('00000100')
  const sizes = Array.from({ length: icon.readUInt16LE(4) }, (_, image) => icon.readUInt8(6 + 16 * image))
  expect(sizes.sort()).toEqual([16, 32])
})

test('the stylesheet is cached for good under its hash, and the page that names it is revalidated', () => {
  expect(CSS_HREF).toMatch(/^\/assets\/site-[0-9a-f]{12}\.css$/)
  expect(files.get(CSS_HREF)?.cacheControl).toBe('public, max-age=31536000, immutable')
  expect(files.get('/')?.cacheControl).toBe('no-cache')
  expect(files.get('/')?.body).toContain(CSS_HREF)
})

test('every file that a page asks for is there', () => {
  for (const page of [String(files.get('/')?.body), unknownLinkPage('abc')]) {
    const hrefs = [...page.matchAll(/<link [^>]*href="([^"]+)"/g)].map(([, href = '']) => href)
    expect(hrefs).toHaveLength(3)
    for (const href of hrefs) expect(files.has(href)).toBe(true)
  }
})

test('security.txt names the contact, ends 364 days from now, and is canonical', () => {
  expect(securityTxt({})).toBe(
    'Contact: mailto:security@example.com\n' +
      `Expires: ${new Date((NOW_US + 364 * DAY_US) / 1000).toISOString()}\n` +
      'Canonical: https://go.example.com/.well-known/security.txt\n',
  )
})

test('security.txt has no canonical URL without https, and does not exist without a contact', () => {
  expect(securityTxt({ baseUrl: 'http://localhost:8080' })).not.toContain('Canonical')
  expect(securityTxt({ securityContact: ' ' })).toBeUndefined()
})

test('a contact that is a URL stays as it is, and cannot add a field', () => {
  expect(securityTxt({ securityContact: 'https://example.com/report' })).toContain(
    'Contact: https://example.com/report\n',
  )
  expect(securityTxt({ securityContact: 'a@b.example\nPolicy: x' })).toContain(
    'Contact: mailto:a@b.example Policy: x\n',
  )
})

test('robots may read pages and follow short URLs, but not the API', () => {
  expect(files.get('/robots.txt')?.body).toBe('User-agent: *\nDisallow: /api/\nDisallow: /dashboard/\n')
})

test('the site declares that it honors the privacy signal', () => {
  expect(JSON.parse(String(files.get('/.well-known/gpc.json')?.body))).toEqual({
    gpc: true,
    lastUpdate: '2026-11-20',
  })
})

const securityTxt = (settings: Partial<SiteSettings>) =>
  siteFiles({ ...SETTINGS, ...settings }).get('/.well-known/security.txt')?.body
