import { expect, test } from 'bun:test'
import { deedOf, diffsOf } from './change-text.ts'

test.each([
  [{ original_url: { from: 'https://a.example/', to: 'https://b.example/' } }, 'changed the destination'],
  [{ is_active: { from: true, to: false } }, 'disabled the link'],
  [{ expires_at: { from: null, to: '2030-01-01T00:00:00Z' } }, 'set the end'],
  [{ has_password: { from: true, to: true } }, 'replaced the password'],
  [{ has_password: { from: true, to: false } }, 'removed the password'],
  [{ forward_query: { from: false, to: true } }, 'turned on the forwarding of the query string'],
  [{ forward_path: { from: true, to: false } }, 'turned off the forwarding of the path'],
  [{ forward_query: { from: false, to: 'replace' } }, 'turned on the forwarding of the query string'],
  [{ forward_query: { from: 'replace', to: false } }, 'turned off the forwarding of the query string'],
  [{ forward_query: { from: 'replace', to: true } }, 'changed the forwarding of the query string'],
  [{ aliases: { from: ['one'], to: [] } }, 'removed the aliases'],
  [{ some_later_field: { from: 1, to: 2 } }, 'changed the some_later_field'],
  [
    {
      original_url: { from: 'https://a.example/', to: 'https://b.example/' },
      max_clicks: { from: null, to: 5 },
      title: { from: 'A', to: 'B' },
    },
    'changed the destination and the title, set the click limit',
  ],
])('%j reads %s', (changes, deed) => {
  expect(deedOf(changes)).toBe(deed)
})

const linesOf = (field: string, from: unknown, to: unknown) =>
  diffsOf({ [field]: { from, to } }).map(({ before, after }) => [before, after])

test('URLs are shown without their scheme, unless that is what changed', () => {
  expect(linesOf('original_url', 'https://a.example/x', 'https://b.example/')).toEqual([
    [['a.example/x'], ['b.example']],
  ])
  expect(linesOf('original_url', 'http://a.example/', 'https://a.example/')).toEqual([
    [['http://a.example/'], ['https://a.example/']],
  ])
  expect(linesOf('title', 'https://', 'and/')).toEqual([[['https://'], ['and/']]])
})

test('what is absent is named as in the editor, and what the sentence says is not repeated', () => {
  expect(linesOf('expires_at', null, '2030-01-01T00:00:00Z')[0]![0]).toEqual(['Never'])
  expect(linesOf('max_clicks', 1000, null)).toEqual([[['1,000'], ['No limit']]])
  expect(linesOf('has_password', false, true)).toEqual([[['No password'], ['A password']]])
  expect(linesOf('forward_query', true, false)).toEqual([[['On'], ['Off']]])
  expect(linesOf('forward_query', true, 'replace')).toEqual([[['On'], ['On, replaces parameters']]])
  expect(linesOf('has_password', true, true)).toEqual([])
  expect(linesOf('is_active', true, false)).toEqual([])
})

test('rules are a line each', () => {
  const when = {
    country: ['JP', 'DE'],
    query: { ref: 'a', seen: true as const },
    hours: { days: ['mon' as const], from: '09:00', to: '17:00', timezone: 'Europe/Berlin' },
  }
  const split = [
    { to: 'https://a.example/', weight: 1 },
    { to: 'https://b.example/', weight: 3 },
  ]
  expect(linesOf('rules', null, [{ when, to: 'https://jp.example/' }, { split }])).toEqual([
    [
      ['None'],
      [
        'Rule 1: country Japan, Germany; query ref=a, seen (any value); hours Mon, 9:00 AM–5:00 PM Europe/Berlin → jp.example',
        'Rule 2: Everyone → 25% a.example, 75% b.example',
      ],
    ],
  ])
})
