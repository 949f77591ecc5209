import { describe, expect, test } from 'bun:test'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { RequestFailure } from '../../api/request.ts'
import { partsByDomain, partsOf, sendInParts, undoGroups, withSet } from './bulk-set.ts'
import { type Picked, pickedOf, rowsBetween, withLinks } from './use-selection.ts'
import { tagCounts, tagsSet } from './bulk-pickers.tsx'

describe('a range of rows', () => {
  test('goes from one row to the other, in either direction, with both', () => {
    expect(codesOf(between('b', 'd'))).toBe('bcd')
    expect(codesOf(between('d', 'b'))).toBe('bcd')
    expect(codesOf(between('c', 'c'))).toBe('c')
  })

  test('is one row if the first is on another page, or there was none', () => {
    expect(codesOf(between('gone', 'd'))).toBe('d')
    expect(codesOf(between(undefined, 'e'))).toBe('e')
  })

  const between = (from: string | undefined, to: string) =>
    rowsBetween(ROWS, from?.charCodeAt(0), to.charCodeAt(0))
})

test('links are selected and no longer selected; the head says how many rows are', () => {
  const two = withLinks(NONE, ROWS.slice(1, 3), true)
  expect([codesOf(two.values()), NONE.size]).toEqual(['bc', 0])
  expect([pickedOf(NONE, ROWS), pickedOf(two, ROWS), pickedOf(two, ROWS.slice(1, 3))]).toEqual([
    false,
    'some',
    true,
  ])
  expect(codesOf(withLinks(two, [ROWS[1]!], false).values())).toBe('c')
  expect(pickedOf(two, [])).toBe(false)
})

describe('a request for many links', () => {
  const CODES = Array.from({ length: 230 }, (_, at) => `c${at}`)
  const refusal = (fields: Record<string, string[]>) => new RequestFailure('invalid', 'Invalid', { fields })

  test('is sent in parts of 100, one after another, and says how far it is', async () => {
    const parts: number[] = []
    const progress: number[] = []
    const sent = await sendInParts(
      partsOf(CODES),
      async (part) => parts.push(part.length),
      (done) => progress.push(done),
    )
    expect([parts, progress]).toEqual([
      [100, 100, 30],
      [100, 200, 230],
    ])
    expect([sent.done, sent.refused, sent.failure]).toEqual([CODES, [], undefined])
  })

  test('is about links of one domain', () => {
    const links = Array.from({ length: 230 }, (_, at) => ({
      short_code: `c${at}`,
      domain: at % 2 === 0 ? 'go.example' : 'shop.example',
    }))
    const parts = partsByDomain(links)
    expect(parts.map((part) => [part.length, new Set(part.map(({ domain }) => domain)).size])).toEqual([
      [100, 1],
      [15, 1],
      [100, 1],
      [15, 1],
    ])
  })

  test('goes on after a part that is refused, and says which link was and why', async () => {
    const sent = await sendInParts(partsOf(CODES), async (part) => {
      if (part.includes('c150')) throw refusal({ 'short_codes.50': ['Link not found.'] })
    })
    expect(sent.done).toEqual([...CODES.slice(0, 100), ...CODES.slice(200)])
    expect(sent.refused).toEqual([{ item: 'c150', reason: 'Link not found.' }])
  })

  test('stops at any other failure', async () => {
    for (const failure of [
      new RequestFailure('offline', 'Away'),
      refusal({ 'set.add_tags.0': ['Too long.'] }),
    ]) {
      let requests = 0
      const sent = await sendInParts(partsOf(CODES), async () => {
        if (++requests === 2) throw failure
      })
      expect([requests, sent.done.length, sent.failure]).toEqual([2, 100, failure])
    }
  })
})

describe('a change of many links', () => {
  test('is shown before the server has answered, tags without regard to case', () => {
    const one = link('one', { tags: ['Retail', 'Print'] })
    expect(withSet(one, { archived: true, folder: 'Fair' })).toMatchObject({
      archived: true,
      folder: 'Fair',
      is_active: true,
      tags: ['Retail', 'Print'],
    })
    expect(withSet(one, { add_tags: ['retail', 'New'], remove_tags: ['PRINT'] }).tags).toEqual([
      'Retail',
      'New',
    ])
    expect(withSet({ ...one, folder: 'Fair' }, { folder: null }).folder).toBeNull()
  })

  test('is undone together for links that had the same', () => {
    const before = [{ folder: 'A' }, { folder: null }, { folder: 'A' }]
    const changed = before.map((fields, at) => ({ link: ROWS[at]!, before: fields }))
    expect(undoGroups(changed)).toEqual([
      { set: { folder: 'A' }, links: [ROWS[0]!, ROWS[2]!] },
      { set: { folder: null }, links: [ROWS[1]!] },
    ])
    expect(undoGroups([])).toEqual([])
  })
})

test('tags are counted, the most frequent first, and only touched ones are sent', () => {
  const links = [link('a', { tags: ['x', 'y'] }), link('b', { tags: ['y'] })]
  expect([...tagCounts(links)]).toEqual([
    ['y', 2],
    ['x', 1],
  ])
  expect(tagsSet(new Map())).toBeUndefined()
  expect(tagsSet(new Map([['x', true]]))).toEqual({ add_tags: ['x'] })
  expect(
    tagsSet(
      new Map([
        ['x', false],
        ['new', true],
      ]),
    ),
  ).toEqual({ add_tags: ['new'], remove_tags: ['x'] })
})

function link(code: string, fields: Partial<OwnLink> = {}) {
  return {
    id: code.charCodeAt(0),
    short_code: code,
    domain: 'go.example',
    is_active: true,
    archived: false,
    folder: null,
    tags: [],
    ...fields,
  } as unknown as OwnLink
}

const ROWS = [...'abcde'].map((code) => link(code))
const NONE: Picked = new Map()

const codesOf = (links: Iterable<OwnLink>) => [...links].map(({ short_code: code }) => code).join('')
