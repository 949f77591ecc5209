import { expect, test } from 'bun:test'
import { referencePage } from './reference-page.ts'
import { SAMPLE_OPENAPI } from '../../../../test/rigs/http/sample-openapi.ts'
import { CSS_HREF } from '../site-css.ts'

const made = referencePage(SAMPLE_OPENAPI, { baseUrl: 'https://go.example' })
const text = made.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

test('every target of the navigation is on the page, once', () => {
  const hrefs = new Set([...made.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor))
  expect(hrefs.size).toBeGreaterThan(6)
  for (const anchor of hrefs) expect(made.split(` id="${anchor}"`)).toHaveLength(2)
})

test('the introduction holds the description, the version and the ways to send a key', () => {
  expect(made).toContain('<strong>parcels</strong>')
  for (const part of [
    'Parcel API',
    '2.1.0',
    'Authentication',
    'X-Key: &lt;key&gt;',
    'Query parameter key=',
  ]) {
    expect(text).toContain(part)
  }
})

test('an operation shows its method, path, scope, fields, answers and a command', () => {
  expect(made).toContain('<span class="method method-put">PUT</span>')
  for (const part of [
    'Needs a key with the scope parcels:write',
    'Needs a key, with any scope',
    'Needs no key',
  ]) {
    expect(text).toContain(part)
  }
  for (const part of ['Deprecated', 'stops[].street', 'No such parcel', 'X-Left', 'curl -X PUT']) {
    expect(text).toContain(part)
  }
})

test('answers that succeed stand open and the others are folded', () => {
  expect(made).toMatch(/<details class="response" open>\s*<summary><span class="status status-2">200/)
  expect(made).toMatch(/<details class="response"\s*>\s*<summary><span class="status status-4">404/)
})

test('of an operation that redirects, the redirect stands open and no body is shown as its answer', () => {
  const content = { 'text/html': { schema: { type: 'string', contentMediaType: 'text/html' } } }
  const responses = { 200: { description: 'A card', content }, 302: { description: 'There' } }
  const paths = { '/{code}': { get: { summary: 'Open', security: [], responses } } }
  const page = referencePage({ ...SAMPLE_OPENAPI, paths }, { baseUrl: 'https://go.example' })
  expect(page).toMatch(/<details class="response" open>\s*<summary><span class="status status-3">302/)
  expect(page).toMatch(/<details class="response"\s*>\s*<summary><span class="status status-2">200/)
  expect(page).toContain('string (text/html)')
  expect(page).not.toContain('<figcaption>Response')
})

test('the page needs neither script nor inline style, and escapes what the document says', () => {
  expect(made).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
  expect(made).toContain('See &lt;below&gt;.')
  expect(made).not.toContain('<fragile>')
  expect(made).toContain(`<link rel="stylesheet" href="${CSS_HREF}" />`)
})

test('a document without anything in it is still a page', () => {
  const bare = referencePage(
    { openapi: '3.1.0', info: { title: 'Bare', version: '1' } },
    { baseUrl: 'http://a' },
  )
  expect(bare).toContain('<h1>Bare</h1>')
})
