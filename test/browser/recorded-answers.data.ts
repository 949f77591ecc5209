import type {
  Account,
  AdminAccount,
  Analytics,
  ApiKey,
  BlockedHost,
  Link,
  Overview,
  Session,
  SignedInSession,
  Usage,
} from '../../dashboard/api-client.ts'

// Test material: answers in the shapes of the API, from which the test's own server answers. No part of the product.

const DAY_MS = 86_400_000
const NOW_MS = Date.now()
const at = (agoMs: number) => new Date(NOW_MS - agoMs).toISOString().replace('Z', '000Z')
const day = (ago: number) => at(ago * DAY_MS).slice(0, 10)

/** The same waves each time, so that pictures can be compared. */
const wave = (days: number, height: number, seed = 1) =>
  Array.from({ length: days }, (_, i) => {
    const slow = Math.sin((i + seed) / 4.1) * 0.35 + Math.sin((i + seed * 3) / 1.7) * 0.2 + 0.7
    return Math.max(0, Math.round(height * slow * (0.5 + i / days)))
  })

export const session: Session = {
  user: {
    id: 1,
    name: 'Ada Lindqvist',
    email: 'ada@example.com',
    created_at: at(200 * DAY_MS),
    is_verified: true,
    is_operator: true,
  },
  instance: { base_url: 'https://go.example.com', signup: 'open', mail: 'smtp', has_accounts: true },
}

type LinkSeed = [
  code: string,
  destination: string,
  title: string,
  clicks: number,
  agoDays: number,
  isActive: boolean,
]
const LINKS: LinkSeed[] = [
  [
    'launch',
    'https://example.com/blog/2026/11/introducing-the-new-field-station-in-northern-iceland',
    'Launch post',
    128_340,
    0.1,
    true,
  ],
  [
    'arrivals',
    'https://birds.example.org/field-notes/2026/spring/arctic-tern-arrivals?page=3',
    'Spring arrivals',
    8_412,
    2,
    true,
  ],
  [
    'q7RmZx3',
    'https://shop.example.net/products/binoculars-8x42?utm_source=newsletter&utm_medium=email',
    '',
    1_204,
    5,
    true,
  ],
  ['winter-call', 'https://meet.example.com/winter-planning', 'Winter planning call', 87, 12, false],
  ['Kd82mPw', 'https://docs.example.io/guide/getting-started', 'Getting started', 4_391, 20, true],
  ['map', 'https://maps.example.com/@64.1466,-21.9426,12z/data=!3m1!1e3', 'How to find us', 950, 44, true],
  ['press', 'https://press.example.com/kit/2026', 'Press kit', 312, 80, true],
  ['old-poster', 'https://archive.example.org/poster.pdf', 'Poster 2025', 0, 190, false],
]

export const links: Link[] = LINKS.map(([code, destination, title, clicks, agoDays, isActive], i) => ({
  id: LINKS.length - i,
  short_code: code,
  short_url: `https://go.example.com/${code}`,
  original_url: destination,
  title,
  click_count: clicks,
  qr_code_url: `https://go.example.com/qr/${code}`,
  is_active: isActive,
  created_at: at(agoDays * DAY_MS),
  is_blocked: false,
  clicks_by_day: wave(30, clicks / 30, i + 1),
}))

const COUNTRIES: [string | null, string, number][] = [
  ['US', 'United States', 31.2],
  ['DE', 'Germany', 18.7],
  ['GB', 'United Kingdom', 11.4],
  ['IS', 'Iceland', 9.8],
  ['FR', 'France', 6.1],
  ['BR', 'Brazil', 4.9],
  ['IN', 'India', 4.4],
  ['AU', 'Australia', 3.2],
  ['ZA', 'South Africa', 1.9],
  ['JP', 'Japan', 1.7],
  [null, 'Unknown', 1.1],
]

const shares = <Name extends string>(name: Name, rows: [string, number][], total: number) =>
  rows.map(([value, percentage]) => ({
    ...({ [name]: value } as Record<Name, string>),
    clicks: Math.round((total * percentage) / 100),
    percentage,
  }))

export function analyticsOf(days: number, height: number): Analytics {
  const timeseries = wave(days, height).map((clicks, i) => ({
    date: day(days - 1 - i),
    clicks,
    unique_visitors: Math.round(clicks * 0.71),
  }))
  const total = timeseries.reduce((sum, { clicks }) => sum + clicks, 0)
  return {
    total_clicks: total,
    unique_visitors: Math.round(total * 0.71),
    bot_clicks: Math.round(total * 0.06),
    last_clicked_at: at(42_000),
    previous: {
      clicks: Math.round(total * 0.88),
      unique_visitors: Math.round(total * 0.75),
      bot_clicks: Math.round(total * 0.07),
    },
    timeseries,
    countries: COUNTRIES.map(([country_code, country, percentage]) => ({
      country_code,
      country,
      clicks: Math.round((total * percentage) / 100),
      percentage,
    })),
    devices: shares(
      'device',
      [
        ['mobile', 61.4],
        ['desktop', 34],
        ['tablet', 4.1],
        ['other', 0.5],
      ],
      total,
    ),
    browsers: shares(
      'browser',
      [
        ['Chrome', 48.2],
        ['Safari', 31.6],
        ['Firefox', 9.9],
        ['Edge', 6.2],
        ['Instagram', 4.1],
      ],
      total,
    ),
    operating_systems: shares(
      'operating_system',
      [
        ['Android', 38],
        ['iOS', 27.1],
        ['Windows', 20.4],
        ['macOS', 11.2],
        ['Linux', 3.3],
      ],
      total,
    ),
    referrers: [
      { referrer: null, clicks: Math.round(total * 0.44), percentage: 44 },
      ...shares(
        'referrer',
        [
          ['news.example.org', 21.3],
          ['t.co', 14.8],
          ['mail.example.com', 11],
          ['forum.birds.example.net', 8.9],
        ],
        total,
      ),
    ],
  }
}

export const overview: Overview = {
  overview: {
    total_links: links.length,
    total_clicks: links.reduce((sum, { click_count }) => sum + click_count, 0),
    active_links: links.filter(({ is_active }) => is_active).length,
    clicks_today: 1_893,
  },
  top_links: links
    .toSorted((a, b) => b.click_count - a.click_count)
    .map(({ id, short_code, title, click_count }) => ({ id, short_code, title, click_count })),
}

const MASKED = `tern_${'*'.repeat(38)}`
export const keys: ApiKey[] = [
  {
    id: 1,
    name: 'Website backend',
    key: MASKED,
    is_active: true,
    permissions: ['links:create', 'links:read', 'analytics:read', 'links:write'],
    rate_limit: 1000,
    current_usage: 312,
    last_used_at: at(95_000),
    created_at: at(90 * DAY_MS),
  },
  {
    id: 2,
    name: 'Newsletter job',
    key: MASKED,
    is_active: true,
    permissions: ['links:create'],
    rate_limit: 100,
    current_usage: 96,
    last_used_at: at(3_600_000 * 5),
    created_at: at(30 * DAY_MS),
  },
  {
    id: 3,
    name: 'Old laptop',
    key: MASKED,
    is_active: false,
    permissions: ['links:read'],
    rate_limit: 100,
    current_usage: 0,
    last_used_at: null,
    created_at: at(160 * DAY_MS),
  },
]

const requests = wave(30, 240, 5)
export const usage: Usage = {
  daily_usage: requests.map((each, i) => ({ date: day(29 - i), requests: each })),
  weekly_usage: requests.slice(-7).reduce((sum, each) => sum + each, 0),
  monthly_usage: requests.reduce((sum, each) => sum + each, 0),
}

export const account: Account = {
  user: { ...session.user!, pending_email: null },
  subscription: { plan: 'pro', status: 'active', expires_at: null },
  limits: { rate_limit: 1000 },
  security: {
    two_factor: { is_on: false, recovery_codes_left: 0 },
    passkeys: [{ id: 'pk1', name: 'Mac', created_at: at(40 * DAY_MS), last_used_at: at(DAY_MS) }],
  },
}

export const sessions: SignedInSession[] = [
  { id: 's1', device: 'Firefox on Linux', is_current: true, created_at: at(DAY_MS), last_used_at: at(4_000) },
  {
    id: 's2',
    device: 'Safari on iPhone',
    is_current: false,
    created_at: at(9 * DAY_MS),
    last_used_at: at(DAY_MS * 2),
  },
]

export const adminAccounts: AdminAccount[] = [
  {
    id: 1,
    name: 'Ada Lindqvist',
    email: 'ada@example.com',
    plan: 'enterprise',
    rate_limit: null,
    links: 8,
    clicks: 143_696,
    last_seen_at: at(4_000),
    is_verified: true,
    is_suspended: false,
    is_operator: true,
  },
  {
    id: 2,
    name: 'Ben Okafor',
    email: 'ben@example.com',
    plan: 'free',
    rate_limit: null,
    links: 41,
    clicks: 2_310,
    last_seen_at: at(DAY_MS),
    is_verified: true,
    is_suspended: false,
    is_operator: false,
  },
  {
    id: 3,
    name: 'Chloé Martin',
    email: 'chloe@example.org',
    plan: 'pro',
    rate_limit: 5000,
    links: 0,
    clicks: 0,
    last_seen_at: null,
    is_verified: false,
    is_suspended: false,
    is_operator: false,
  },
  {
    id: 4,
    name: 'Free Prizes Ltd',
    email: 'win@example.net',
    plan: 'free',
    rate_limit: null,
    links: 912,
    clicks: 44_120,
    last_seen_at: at(DAY_MS * 3),
    is_verified: true,
    is_suspended: true,
    is_operator: false,
  },
]

export const blockedHosts: BlockedHost[] = [
  {
    host: 'prizes.example.net',
    reason: 'Phishing, reported by two people',
    links: 37,
    created_at: at(DAY_MS * 3),
  },
]
