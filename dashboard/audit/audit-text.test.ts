import { expect, test } from 'bun:test'
import type { AuditEntryView } from '../../src/http/dashboard-api/types/audit-types.ts'
import { auditDiffs, codesOf, deedText } from './audit-text.ts'

const ENTRY: AuditEntryView = {
  ...{ id: 1, happened_at: '2026-11-14T08:30:12.000000Z', user_id: 1, api_key_id: null, actor: 'Ada' },
  ...{ client: 'Firefox on Linux', action: 'link.updated', target: 'winter', target_id: 3, changes: null },
}
const deed = (changes: AuditEntryView['changes'], action: AuditEntryView['action'] = 'link.updated') =>
  deedText({ ...ENTRY, action, changes })

test('a deed says what was changed', () => {
  expect(deed(null, 'link.created')).toBe('created')
  expect(deed({ title: { from: 'a', to: 'b' } })).toBe('changed the title of')
  expect(deed({ title: { from: 'a', to: 'b' }, tags: { from: [], to: ['x'] } })).toBe(
    'changed the title, set the tags of',
  )
  expect(deed({ is_active: { from: true, to: false } })).toBe('disabled')
  expect(deed({ archived: { from: false, to: true }, links: { from: null, to: [] } })).toBe('archived')
  expect(deed({ password: { from: null, to: 'set' } })).toBe('set the password of')
  const member = (changes: AuditEntryView['changes']) => deed(changes, 'member.updated')
  expect(member({ role: { from: 'viewer', to: 'admin' } })).toBe('changed the membership of')
  expect(member({ name: { from: 'Ann', to: 'Anna' } })).toBe('changed the name of')
  expect(member({ email: { from: 'a@b.example', to: 'c@d.example' } })).toBe('changed the email of')
})

test('each field has what was before and after', () => {
  const changes = {
    title: { from: 'Old', to: 'New' },
    is_active: { from: true, to: false },
    tags: { from: ['a', 'b'], to: [] },
    rate_limit: { from: null, to: 7 },
    links: { from: null, to: [{ id: 1, short_code: 'a' }] },
  }
  expect(auditDiffs({ ...ENTRY, changes })).toEqual([
    { field: 'title', name: 'title', before: ['Old'], after: ['New'] },
    { field: 'is_active', name: 'link', before: ['Active'], after: ['Disabled'] },
    { field: 'tags', name: 'tags', before: ['a, b'], after: [''] },
    { field: 'rate_limit', name: 'rate limit', before: [], after: ['7'] },
  ])
  expect(codesOf({ ...ENTRY, changes })).toEqual(['a'])
  expect(codesOf(ENTRY)).toEqual([])
})
