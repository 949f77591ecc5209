import type { OwnLink } from '../../src/http/dashboard-api/dashboard-types.ts'
import { LinkBadges } from '../links/link-badges.tsx'
import { nowMs } from '../now.ts'
import { Group } from './gallery-group.tsx'

const PLAIN: OwnLink = {
  id: 1,
  short_code: 'winter',
  short_url: 'https://nls.example/winter',
  original_url: 'https://www.northlight-supply.com/collections/winter',
  aliases: [],
  title: 'Winter collection 2026: jackets, merino and everything for the first snow',
  click_count: 148_213,
  qr_code_url: 'https://nls.example/qr/winter',
  is_active: true,
  created_at: '2026-09-03T07:00:00.000000Z',
  status: 'active',
  starts_at: null,
  expires_at: null,
  max_clicks: null,
  fallback_url: null,
  forward_query: false,
  has_password: false,
  redirect_status: 302,
  rules: null,
  social_title: null,
  social_description: null,
  social_image_url: null,
  archived: false,
  notes: null,
  external_id: null,
}

const inDays = (days: number) => new Date(nowMs() + days * 86_400_000).toISOString()

const STATES: Partial<OwnLink>[] = [
  { status: 'blocked' },
  { status: 'disabled', is_active: false },
  { status: 'expired', expires_at: inDays(-20) },
  { status: 'limit_reached' },
  { status: 'scheduled', starts_at: inDays(20) },
  { expires_at: inDays(9) },
  { status: 'expired', expires_at: inDays(-400), archived: true },
]

export const LinkParts = () => (
  <Group title="Badges of a link">
    {STATES.map((state, at) => (
      <LinkBadges key={at} link={{ ...PLAIN, ...state }} />
    ))}
  </Group>
)
