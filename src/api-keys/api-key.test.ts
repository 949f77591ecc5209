import { expect, test } from 'bun:test'
import { HOUR_US } from '../runtime/clock.ts'
import { toApiKey } from './api-key.ts'

test('the limit is the key’s own, else the plan’s, and that of the smallest plan when the plan is unknown', () => {
  expect(toApiKey({ ...row, rate_limit: 7 }, 0).rateLimit).toBe(7)
  expect(toApiKey({ ...row, workspace_rate_limit: 8 }, 0).rateLimit).toBe(8)
  expect(toApiKey({ ...row, rate_limit: 7, workspace_rate_limit: 8 }, 0).rateLimit).toBe(7)
  expect(toApiKey(row, 0).rateLimit).toBe(1000)
  expect(toApiKey({ ...row, plan: 'of a newer version' }, 0).rateLimit).toBe(100)
})

test('usage is that of the hour that runs', () => {
  const started = { ...row, window_started_at: 5 }
  expect(toApiKey(row, 0)).toMatchObject({ currentUsage: 0, resetAtUs: null })
  expect(toApiKey(started, 5 + HOUR_US - 1)).toMatchObject({ currentUsage: 3, resetAtUs: 5 + HOUR_US })
  expect(toApiKey(started, 5 + HOUR_US)).toMatchObject({ currentUsage: 0, resetAtUs: null })
})

test('a scope that this version does not know grants nothing', () => {
  expect(toApiKey({ ...row, scopes: '["links:admin","links:read"]' }, 0).scopes).toEqual(['links:read'])
})

const row = {
  id: 1,
  workspace_id: 2,
  user_id: 3,
  is_kept: 0,
  name: 'Key',
  key_hash: '',
  key_hint: null,
  scopes: '["links:read"]',
  rate_limit: null,
  window_started_at: null as number | null,
  window_requests: 3,
  last_used_at: null,
  revoked_at: null,
  created_at: 0,
  restrictions: null,
  links_day: null,
  links_of_day: 0,
  plan: 'pro',
  user_name: 'Ann' as string | null,
  workspace_rate_limit: null,
}
