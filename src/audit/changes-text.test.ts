import { expect, test } from 'bun:test'
import { CHANGES_CHARS_MAX, changesText, type FieldChanges } from './changes-text.ts'

const fitted = (changes: FieldChanges): FieldChanges => {
  const text = changesText(changes)
  expect(text.length).toBeLessThanOrEqual(CHANGES_CHARS_MAX)
  return JSON.parse(text)
}

const host = `${'h'.repeat(60)}.`.repeat(4) + 'example'

test('changes that fit are kept as they are', () => {
  const changes = { notes: { from: null, to: 'y'.repeat(40_000) }, title: { from: '', to: 'a' } }
  expect(fitted(changes)).toEqual(changes)
})

test('of changes that are too long, long texts are cut, wherever they are', () => {
  const kept = fitted({
    title: { from: '', to: 'a' },
    notes: { from: 'x'.repeat(40_000), to: '🐦'.repeat(20_000) },
    rules: { from: null, to: [{ url: 'z'.repeat(9_000) }] },
  })
  expect(kept).toEqual({
    title: { from: '', to: 'a' },
    notes: { from: `${'x'.repeat(3_999)}…`, to: `${'🐦'.repeat(1_999)}…` },
    rules: { from: null, to: [{ url: `${'z'.repeat(3_999)}…` }] },
  })
})

test('every code and the host of every destination stay, whatever was sent', () => {
  const urls = Array.from({ length: 180 }, (_, n) => `https://${n}.${host}/${'p'.repeat(5_000)}`)
  const links = urls.map((_, n) => ({ id: n, short_code: `code-${n}` }))
  const kept = JSON.stringify(fitted({ aliases: { from: urls, to: urls }, links: { from: null, to: links } }))
  for (const n of urls.keys()) {
    expect(kept).toContain(`https://${n}.${host}/`)
    expect(kept).toContain(`"code-${n}"`)
  }
})

test('where nothing can be cut, all earlier values are left out before a new one is', () => {
  const many = Array.from({ length: 9_000 }, (_, n) => n)
  const more = [...many, ...many]
  const title = { from: 'old', to: 'new' }
  expect(fitted({ title, rules: { from: many, to: many } })).toEqual({
    title,
    rules: { from: '…', to: many },
  })
  const links = { from: null, to: [{ id: 1, short_code: 'sale' }] }
  expect(fitted({ title, rules: { from: many, to: more }, links })).toEqual({
    title: { from: '…', to: 'new' },
    rules: { from: '…', to: '…' },
    links,
  })
})
