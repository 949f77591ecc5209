import { expect, test } from 'bun:test'
import type { AuditEntryView } from '../../src/http/endpoints/browser-types.ts'
import { dayAndTime } from '../later-format.ts'
import { auditDiffs, codesOf, deedText, targetText } from './audit-text.ts'

test('a deed says what was changed', () => {
  expect(deed(null, 'link.created')).toBe('created')
  expect(deed({ title: { from: 'a', to: 'b' } })).toBe('changed the title of')
  expect(deed({ title: { from: 'a', to: 'b' }, tags: { from: [], to: ['x'] } })).toBe(
    'changed the title, set the tags of',
  )
  expect(deed({ is_active: { from: true, to: false } })).toBe('disabled')
  expect(deed({ archived: { from: false, to: true }, links: { from: null, to: [] } })).toBe('archived')
  expect(deed({ password: { from: null, to: 'set' } })).toBe('set the password of')
  expect(deed({ home_url: { from: null, to: 'https://a.example/' } }, 'domain.updated')).toBe(
    'set the home page of',
  )
  expect(deed({ is_default: { from: false, to: true } }, 'domain.updated')).toBe('made the default domain:')
  expect(deed({ plan: { from: 'free', to: 'pro' } }, 'workspace.updated')).toBe('changed the plan of')
  expect(deed({ requires_second_factor: { from: false, to: true } }, 'workspace.updated')).toBe(
    'set the two-factor requirement of',
  )
  expect(deed({ color: { from: 'red', to: 'blue' } }, 'tag.updated')).toBe('changed the color of the tag')
  expect(deed({ name: { from: 'a', to: 'b' } }, 'folder.updated')).toBe('changed the name of the folder')
  expect(deed({ timezone: { from: null, to: 'UTC' } }, 'settings.updated')).toBe('changed the settings')
  expect(deed(null, 'domain.updated')).toBe('changed the domain')
  const member = (changes: AuditEntryView['changes']) => deed(changes, 'member.updated')
  expect(member({ role: { from: 'viewer', to: 'admin' } })).toBe('changed the role of')
  expect(member({ name: { from: 'Ann', to: 'Anna' } })).toBe('changed the name of')
  const invitation = (changes: AuditEntryView['changes']) => deed(changes, 'invitation.sent')
  expect(invitation({ role: { from: null, to: 'viewer' }, link: { from: null, to: 'mailed' } })).toBe(
    'invited',
  )
  expect(invitation({ link: { from: null, to: 'copied' } })).toBe('copied the invitation link of')
  expect(invitation({ link: { from: null, to: 'mailed' } })).toBe('invited again')
  // As it was written before.
  expect(invitation(null)).toBe('invited')
  expect(member({ email: { from: 'a@b.example', to: 'c@d.example' } })).toBe('changed the email of')
})

test('settings are named as on their page', () => {
  const changed = { ...ENTRY, action: 'settings.updated', target: 'timezone, qr_style' } as const
  expect(targetText(changed)).toBe('time zone, QR style')
  expect(targetText(ENTRY)).toBe('winter')
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
  const [end] = auditDiffs({
    ...ENTRY,
    changes: { expires_at: { from: null, to: '2030-01-01T00:00:00.000000Z' } },
  })
  expect([end!.before, end!.after]).toEqual([[], [dayAndTime('2030-01-01T00:00:00Z')]])
  expect(codesOf({ ...ENTRY, changes })).toEqual(['a'])
  expect(codesOf(ENTRY)).toEqual([])
})

const ENTRY: AuditEntryView = {
  id: 1,
  happened_at: '2026-11-14T08:30:12.000000Z',
  user_id: 1,
  api_key_id: null,
  actor: 'Ada',
  client: 'Firefox on Linux',
  action: 'link.updated',
  target: 'winter',
  target_id: 3,
  changes: null,
}
const deed = (changes: AuditEntryView['changes'], action: AuditEntryView['action'] = 'link.updated') =>
  deedText({ ...ENTRY, action, changes })
