import { expect, test } from 'bun:test'
import {
  blockedPage,
  noticePage,
  disabledPage,
  loopPage,
  tooManyTriesPage,
  unavailablePage,
  unknownLinkPage,
} from './notice-pages.ts'

const HOSTILE = '"><script>alert(1)</script>'

test('everything in a notice is escaped', () => {
  const made = noticePage({ title: HOSTILE, sentence: HOSTILE, code: HOSTILE })
  expect(made).not.toContain('<script')
  expect(made.split('&lt;script&gt;')).toHaveLength(5)
})

test('a notice without a code has no line for it', () => {
  expect(noticePage({ title: 'T', sentence: 'S' })).not.toContain('notice-code')
})

test('direction marks, controls and lone surrogates of a code are shown as replaced', () => {
  expect(unknownLinkPage('a\u202eb\u0000c\ud800')).toContain('/a\u{FFFD}b\u{FFFD}c\u{FFFD}</code>')
})

test('an over-long code is cut between characters', () => {
  const made = unknownLinkPage('🐦'.repeat(4000))
  expect(made).toContain('/' + '🐦'.repeat(64) + '…</code>')
  expect(made.length).toBeLessThan(4000)
})

test('notices have no script, no inline style, a link to the explanation, and one to report a link that exists', () => {
  for (const [page, links] of [
    [unknownLinkPage, 1],
    [disabledPage, 2],
    [loopPage, 2],
    [blockedPage, 2],
    [tooManyTriesPage, 1],
    [(code: string) => unavailablePage(code, 'Try again in a second.'), 2],
  ] as const) {
    const made = page('abc')
    expect(made).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    expect(made.match(/<a /g)).toHaveLength(links)
    const isReportable = made.includes('<a href="/report/abc" rel="nofollow">Report this link</a>')
    expect(isReportable).toBe(links === 2 && !made.includes('Try again</a>'))
    expect(made).toContain('<a href="/#visitors">About this page</a>')
  }
})

test('an unknown link and one that is disabled say so', () => {
  expect(unknownLinkPage('abc')).toContain('<h1>No such link</h1>')
  expect(disabledPage('abc')).toContain('<h1>This link is disabled</h1>')
  expect(loopPage('abc')).toContain('<h1>This link leads in a circle</h1>')
  expect(blockedPage('abc')).toContain('<h1>This link is blocked</h1>')
  expect(tooManyTriesPage()).toContain('<h1>Too many attempts</h1>')
})
