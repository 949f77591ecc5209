import { expect, test } from 'bun:test'
import { html, Html, page } from './html.ts'

const HOSTILE = `"><img src=x onerror=alert(1)></script>'&`

test('interpolated text is escaped in text and in attributes', () => {
  const made = html`<p title="${HOSTILE}">${HOSTILE}</p>`.markup
  const escaped = '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;&#x27;&amp;'
  expect(made).toBe(`<p title="${escaped}">${escaped}</p>`)
})

test('markup of ours passes through once and is not escaped again', () => {
  const inner = html`<b>${'a & b'}</b>`
  expect(html`<p>${inner}</p>`.markup).toBe('<p><b>a &amp; b</b></p>')
  expect(String(new Html('<hr>'))).toBe('<hr>')
})

test('lists are joined, nested ones too, and their text is escaped', () => {
  expect(html`${['<', [html`<br />`, 7]]}`.markup).toBe('&lt;<br />7')
})

test('what is absent leaves nothing, but zero and the empty list do not turn into words', () => {
  expect(html`[${null}${undefined}${false}${[]}${0}]`.markup).toBe('[0]')
})

test('a page has a language, a title, its stylesheet and no script or inline style', () => {
  const made = page({
    title: HOSTILE,
    body: html`<main></main>`,
    description: HOSTILE,
    cssHref: '/assets/a.css',
  })
  expect(made).toStartWith('<!doctype html>\n<html lang="en">')
  expect(made).toContain('<link rel="stylesheet" href="/assets/a.css" />')
  expect(made).toContain('name="viewport"')
  expect(made).not.toContain('<img')
  expect(made).not.toMatch(/<script|<style| style=/)
})

test('a page without a description has no such tag', () => {
  expect(page({ title: 'T', body: html``, cssHref: '/a.css' })).not.toContain('name="description"')
})
