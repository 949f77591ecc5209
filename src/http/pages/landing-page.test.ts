import { expect, test } from 'bun:test'
import { API_VERSION, VERSION } from '../../runtime/version.ts'
import { landingPage } from './landing-page.ts'

const INSTANCE = { baseUrl: 'https://go.example.com', signUp: 'open' } as const
const made = landingPage(INSTANCE)

test('the page names this instance, the versions of program and API, and the way to the reference', () => {
  expect(made).toContain('<title>go.example.com · short links</title>')
  expect(made).toContain(`Tern ${VERSION} · API ${API_VERSION}`)
  expect(made).toContain('href="/docs"')
})

test('who has an account is led to sign in; signing up is offered only where anybody may', () => {
  const links = (page: string) => page.match(/\/dashboard\/sign-(in|up)/g)
  expect(links(made)).toEqual(['/dashboard/sign-up', '/dashboard/sign-in'])
  for (const signUp of ['invite', 'closed'] as const)
    expect(links(landingPage({ ...INSTANCE, signUp }))).toEqual(['/dashboard/sign-in'])
})

test('the example is three lines that can be pasted', () => {
  const block = /aria-label="curl: create a link"\s*>\s*<code\s*>([\s\S]*?)<\/code/.exec(made)?.[1] ?? ''
  const command = block
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
  expect(command.split('\n')).toEqual([
    'curl https://go.example.com/api/links \\',
    '  -H "X-API-Key: $API_KEY" -H "Content-Type: application/json" \\',
    `  -d '{"original_url": "https://example.com/a/long/url"}'`,
  ])
})

test('what a notice page links to is on the page', () => {
  expect(made).toContain('id="visitors"')
})

test('the page needs neither script nor inline style', () => {
  expect(made).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
})
