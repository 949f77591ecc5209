import { expect, test } from 'bun:test'
import { changesText } from '../audit/changes-text.ts'
import { createdLink, linkEntries, withoutSecrets } from './link-changes.ts'
import { shownOptions } from './link-fields.ts'

const on = { from: true, to: false }
const off = { from: false, to: true }
const title = { from: '', to: 'Sale' }

test('a request about one link is an entry about that link', () => {
  const links = [{ id: 7, domainId: 0, code: 'sale', changes: { is_active: on } }]
  expect(linkEntries({ nowUs: 1, action: 'link.updated', links })).toEqual([
    { nowUs: 1, action: 'link.updated', target: 'sale', targetId: 7, changes: { is_active: on } },
  ])
})

test('of a request about several links, what is the same for all of them stands once', () => {
  const links = [
    { id: 7, domainId: 0, code: 'sale', changes: { is_active: on, title } },
    { id: 8, domainId: 0, code: 'shop', changes: { is_active: on } },
    { id: 9, domainId: 0, code: 'news', changes: { is_active: on, folder: off } },
  ]
  expect(linkEntries({ nowUs: 1, action: 'link.updated', links })).toEqual([
    {
      nowUs: 1,
      action: 'link.updated',
      target: '3 links',
      changes: {
        is_active: on,
        links: {
          from: null,
          to: [
            { id: 7, short_code: 'sale', changes: { title } },
            { id: 8, short_code: 'shop' },
            { id: 9, short_code: 'news', changes: { folder: off } },
          ],
        },
      },
    },
  ])
})

test('a request with more than fits into one entry is several entries, which name every link and its values', () => {
  const links = Array.from({ length: 100 }, (_, id) => ({
    id,
    domainId: 0,
    code: `code-${id}`,
    changes: {
      fallback_url: { from: `https://${id}.example.com/${'p'.repeat(700)}`, to: 'https://new.example/' },
    },
  }))
  const entries = linkEntries({ nowUs: 1, action: 'link.updated', links })
  expect(entries.map(({ target }) => target)).toEqual(['77 links', '23 links'])
  const listed = entries.flatMap(({ changes }) => changes!.links!.to)
  expect(listed).toEqual(links.map(({ id, code, changes }) => ({ id, short_code: code, changes })))
  for (const { changes } of entries) expect(changesText(changes!)).toBe(JSON.stringify(changes))
})

test('of many links, one with more than fits into an entry has its long values cut', () => {
  const rules = { from: null, to: ['x'.repeat(70_000)] }
  const links = [0, 1, 2].map((id) => ({
    id,
    domainId: 0,
    code: `code-${id}`,
    changes: id === 1 ? { title, rules, notes: rules } : { title },
  }))
  const entries = linkEntries({ nowUs: 1, action: 'link.updated', links })
  expect(entries).toHaveLength(1)
  const cut = { from: null, to: [`${'x'.repeat(3_999)}…`] }
  expect(entries[0]!.changes!.links!.to).toContainEqual({
    id: 1,
    short_code: 'code-1',
    changes: { rules: cut, notes: cut },
  })
})

test('a password is set, changed or nothing, and its hash is not in the log', () => {
  const hashes = { none: { password_hash: null }, one: { password_hash: 'a' }, other: { password_hash: 'b' } }
  const changes = { has_password: { from: false, to: true } }
  const changed = (before: keyof typeof hashes, after: keyof typeof hashes) =>
    withoutSecrets(changes, hashes[before], hashes[after])
  expect(changed('none', 'one')).toEqual({ password: { from: null, to: 'set' } })
  expect(changed('one', 'other')).toEqual({ password: { from: 'set', to: 'changed' } })
  expect(changed('one', 'none')).toEqual({ password: { from: 'set', to: null } })
  expect(withoutSecrets({ title }, hashes.one, hashes.one)).toEqual({ title })
})

const PLAIN = {
  id: 7,
  domainId: 0,
  code: 'sale',
  originalUrl: 'https://example.com/',
  title: '',
  isActive: true,
  aliases: [],
  tags: [],
  folder: null,
  options: shownOptions({}),
}

test('of a new link only what was set is in its entry', () => {
  const original_url = { from: null, to: 'https://example.com/' }
  expect(createdLink(PLAIN)).toEqual({ id: 7, domainId: 0, code: 'sale', changes: { original_url } })
  const options = shownOptions({
    password_hash: 'secret',
    forward_query: 1,
    forward_path: 1,
    expires_at: 1_000_000,
    notes: 'ours',
  })
  const link = createdLink({ ...PLAIN, title: 'Sale', isActive: false, tags: ['a'], folder: 'b', options })
  expect(Object.fromEntries(Object.entries(link.changes).map(([name, { to }]) => [name, to]))).toEqual({
    original_url: 'https://example.com/',
    title: 'Sale',
    is_active: false,
    tags: ['a'],
    folder: 'b',
    expires_at: '1970-01-01T00:00:01.000000Z',
    forward_query: true,
    forward_path: true,
    password: 'set',
    notes: 'ours',
  })
})
