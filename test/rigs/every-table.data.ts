import type { MovedTable } from '../../src/store/move/moved-tables.ts'
import { OPTION_COLUMNS } from '../../src/links/link-fields.ts'
import type { LinkOptionColumns } from '../../src/store/link-schema.ts'

/** Texts that are written with a backslash on their way, look like what stands for no value, or are no Latin letters. */
const ODD =
  'tab\t, line\nfeed, \\N, \\\\, "quote", \'single\', {a,b}, 💛, é, \b\v\f\r\u0001\u001f\u007f end\\'
const LARGEST = Number.MAX_SAFE_INTEGER
/** 2026-11-21 12:00 UTC */
const NOON = 1_795_262_400_000_000
const DAY = 86_400_000_000

const LINK_IDS = [1, 2, 3, 4_000_000_000]
const A_CODE = { domain_id: 0, workspace_id: 1, link_id: null, lost_at: null }

const hash = (letter: string) => letter.repeat(64)

/** Rows for every table that a store has, with every column, and with values that are easily lost. */
const EVERY_OPTION = {
  ...Object.fromEntries(OPTION_COLUMNS.names.map((name) => [name, 1])),
  ...Object.fromEntries(OPTION_COLUMNS.texts.map((name) => [name, ODD])),
  starts_at: NOON,
  expires_at: LARGEST,
  max_clicks: 1_000_000_000,
  fallback_url: 'https://example.com/over',
  password_hash: '$argon2id$v=19$',
  redirect_status: 308,
  rules: '[{"to":"https://example.com/"}]',
  social_image_url: 'https://example.com/card.png',
  qr_style: JSON.stringify({ text: ODD }),
} as LinkOptionColumns
const NO_OPTION = Object.fromEntries(Object.keys(EVERY_OPTION).map((name) => [name, null]))

export const EVERY_TABLE: Record<MovedTable, Record<string, unknown>[]> = {
  users: [1, 2, 9].map((id) => ({
    id,
    name: id === 1 ? ODD : `User ${id}`,
    email: `user${id}@example.com`,
    password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
    email_verified_at: id === 2 ? null : NOON,
    role: id === 1 ? 'admin' : 'user',
    created_at: NOON - id,
    closed_at: null,
    last_signed_in_at: null,
    failed_sign_ins: id,
    totp_secret: id === 1 ? 'JBSWY3DPEHPK3PXP' : null,
    totp_enabled_at: id === 1 ? NOON : null,
    totp_last_step: id === 1 ? 59_842_080 : null,
    suspended_at: id === 9 ? NOON : null,
    last_workspace_id: id === 9 ? 7 : null,
  })),
  workspaces: [1, 2, 7].map((id) => ({
    id,
    name: id === 1 ? ODD : `Workspace ${id}`,
    plan: 'free',
    subscription_status: 'active',
    subscription_expires_at: id === 1 ? LARGEST : null,
    rate_limit: id === 7 ? 0 : null,
    created_at: NOON - id,
    suspended_at: id === 7 ? NOON : null,
    closed_at: null,
    default_domain_id: id === 1 ? 6 : null,
    requires_second_factor: id === 2 ? 1 : 0,
    invitations_day: id === 2 ? 20_000 : null,
    invitations_of_day: id === 2 ? 7 : 0,
  })),
  members: [
    { workspace_id: 1, user_id: 1, role: 'owner', joined_at: NOON },
    { workspace_id: 2, user_id: 2, role: 'owner', joined_at: NOON },
    { workspace_id: 7, user_id: 9, role: 'owner', joined_at: NOON },
    { workspace_id: 7, user_id: 2, role: 'viewer', joined_at: LARGEST },
  ],
  sessions: [
    { id: 3, user_id: 1, token_hash: hash('a'), device: ODD, workspace_id: null, confirmed_at: null },
    { id: 9, user_id: 2, token_hash: hash('b'), device: '', workspace_id: 7, confirmed_at: NOON },
  ].map((session) => ({ ...session, created_at: NOON, last_used_at: NOON })),
  single_use_tokens: [
    { token_hash: hash('c'), purpose: 'verify-email', user_id: 2, email: 'a@b.example', expires_at: NOON },
    { token_hash: hash('d'), purpose: 'passkey-sign-in', user_id: null, email: '', expires_at: NOON },
  ],
  recovery_codes: ['e', 'f'].map((letter) => ({ user_id: 1, code_hash: hash(letter) })),
  passkeys: [
    {
      id: 1,
      user_id: 1,
      credential_id: 'abc_-',
      public_key: Uint8Array.from({ length: 256 }, (_, i) => i),
      counter: LARGEST,
      transports: '["usb"]',
      name: ODD,
      created_at: NOON,
      last_used_at: null,
    },
  ],
  invitations: [
    { id: 12, email: 'c@example.com', token_hash: hash('1'), created_at: NOON, expires_at: NOON + DAY },
  ],
  workspace_invitations: [
    {
      ...{ id: 3, workspace_id: 1, email: 'd@example.com', role: 'editor', token_hash: hash('7') },
      ...{ invited_by: null, created_at: NOON, expires_at: NOON + DAY },
    },
  ],
  group_workspaces: [{ name: ODD, workspace_id: 7 }],
  user_identities: [
    {
      ...{ issuer: 'https://login.example', subject: ODD, user_id: 2, email: 'a@b.example' },
      ...{ created_at: NOON, last_used_at: NOON },
    },
  ],
  audit_log: [
    {
      ...{ id: 5, workspace_id: 1, happened_at: NOON, user_id: 1, api_key_id: null, actor: ODD },
      ...{ client: 'API', action: 'link.updated', target: ODD, target_id: LARGEST, changes: '{"title":{}}' },
    },
    {
      ...{ id: 6, workspace_id: 2, happened_at: NOON, user_id: null, api_key_id: 5, actor: '' },
      ...{ client: '', action: 'link.created', target: '', target_id: null, changes: null },
    },
  ],
  blocked_hosts: [
    { host: 'evil.example', reason: ODD, created_at: NOON },
    { host: 'xn--bse-sna.example', reason: '', created_at: NOON },
  ],
  api_keys: [
    {
      id: 4,
      workspace_id: 1,
      user_id: 1,
      is_kept: 1,
      name: ODD,
      key_hash: hash('2'),
      key_hint: 'tern_…Ab3x',
      scopes: '["links:read"]',
      rate_limit: 100,
      window_started_at: NOON,
      window_requests: 3,
      last_used_at: NOON,
      revoked_at: null,
      created_at: NOON,
      restrictions: '{"code_prefix":"shop-"}',
      links_day: 20_000,
      links_of_day: 7,
    },
    {
      id: 5,
      workspace_id: 2,
      user_id: null,
      is_kept: 0,
      name: '',
      key_hash: hash('3'),
      key_hint: null,
      scopes: '[]',
      rate_limit: null,
      window_started_at: null,
      window_requests: 0,
      last_used_at: null,
      revoked_at: NOON,
      created_at: NOON,
      restrictions: null,
      links_day: null,
      links_of_day: 0,
    },
  ],
  api_usage_days: [
    { workspace_id: 1, day: 20_000, requests: 2_147_483_647 },
    { workspace_id: 2, day: 20_001, requests: 1 },
  ],
  domains: [
    { id: 0, is_shared: 1 },
    {
      id: 6,
      host: 'go.example',
      name: 'go.example',
      workspace_id: 1,
      created_at: NOON,
      verification_token: ODD,
      certificate_result: 'valid',
      certificate_ends_at: NOON,
      dns_failure: ODD,
      found_addresses: '198.51.100.7 2001:db8::1',
    },
    {
      id: 8,
      name: 'go.example',
      workspace_id: 2,
      created_at: NOON,
      removed_at: NOON,
      home_url: `https://a.example/${ODD}`,
    },
  ].map((domain) => ({
    ...{ host: null, name: '', workspace_id: null, is_shared: 0, created_at: 0, verification_token: null },
    ...{ verified_at: null, checked_at: null, failing_since: null, failure: null, removed_at: null },
    ...{ home_url: null, not_found_url: null, expired_url: null },
    ...{ certificate_result: null, certificate_ends_at: null, dns_failure: null, found_addresses: null },
    ...domain,
  })),
  // In the order of bytes, which is nobody's alphabet.
  codes: [
    ...['-_-', 'Zebra', '_under', 'apple'].map((code, i) => ({ ...A_CODE, code, link_id: LINK_IDS[i] })),
    { ...A_CODE, code: 'apple', domain_id: 6, link_id: 2 },
    { ...A_CODE, code: 'gone' },
    { ...A_CODE, code: 'lost', workspace_id: null, lost_at: NOON },
    { ...A_CODE, code: 'Äh' },
  ],
  code_log: [{ log: 'b3d8c5c0-3f6f-4f38-9c3f-1f0f6d7f1a11', position: 4_711 }],
  links: ['-_-', 'Zebra', '_under', 'apple'].map((code, i) => ({
    id: LINK_IDS[i],
    workspace_id: 1,
    domain_id: 0,
    code,
    svc_id: `svc_${i}`,
    original_url: `https://example.com/${'ä'.repeat(i * 100)}?q=%0A\\`,
    target_url: i === 2 ? 'https://example.com/%C3%A4' : null,
    title: i === 1 ? ODD : '',
    is_active: i === 2 ? 0 : 1,
    created_at: NOON + i,
    updated_at: NOON + i,
    created_by: i === 3 ? 2 : null,
    destination_hash: i === 2 ? null : 2 ** 47 + i,
    ...(i === 3 ? EVERY_OPTION : NO_OPTION),
  })),
  deleted_links: [
    {
      id: 77,
      workspace_id: 1,
      domain_id: 6,
      code: 'gone',
      svc_id: 'svc_77',
      original_url: 'https://example.com/gone',
      target_url: null,
      title: ODD,
      is_active: 1,
      created_at: NOON,
      deleted_at: NOON + 1,
      created_by: 1,
      created_key_id: 4,
      destination_hash: 7,
      other_keys: '[[6,"gone-too"],[0,"gone"]]',
      ...EVERY_OPTION,
    },
  ],
  link_openings: [{ link_id: 4_000_000_000, opened: LARGEST, limited_since: NOON }],
  link_versions: [
    {
      link_id: 1,
      version: 2,
      changed_at: NOON,
      user_id: 1,
      api_key_id: null,
      is_destination: 1,
      changes: `{"title":{"from":"","to":"${'ä'}"}}`,
    },
    { link_id: 1, version: 3, changed_at: NOON + 1, user_id: null, api_key_id: 4, changes: '{}' },
  ],
  link_texts: [1, 2, 3, 4_000_000_000].map((link_id) => ({
    link_id,
    workspace_id: 1,
    text: `${ODD}\nhttps://example.com/${link_id}`,
  })),
  workspace_link_counts: [
    { workspace_id: 1, shard: 0, links: 3, active_links: 2, archived_links: 1 },
    { workspace_id: 1, shard: 7, links: 1, active_links: 1, archived_links: 1 },
  ],
  labels: [
    {
      id: 1,
      workspace_id: 1,
      kind: 'tag',
      name: ODD,
      folded_name: ODD.toLowerCase(),
      color: 5,
      created_at: NOON,
    },
    { id: 4, workspace_id: 1, kind: 'folder', name: 'Ä', folded_name: 'ä', color: 0, created_at: LARGEST },
  ],
  link_labels: [
    { label_id: 1, created_at: NOON, link_id: 1 },
    { label_id: 1, created_at: NOON, link_id: 4_000_000_000 },
    { label_id: 4, created_at: NOON + 1, link_id: 77 },
  ],
  label_link_counts: [
    { label_id: 1, shard: 0, links: 3, archived_links: 1 },
    { label_id: 1, shard: 7, links: -1, archived_links: 0 },
  ],
  link_reports: [
    {
      id: 2,
      workspace_id: 1,
      link_id: 77,
      short_url: 'https://s.example/gone',
      original_url: 'https://example.com/gone',
      reason: 'phishing',
      message: ODD,
      reported_at: NOON,
      closed_at: null,
      closed_by: null,
      more: 3,
    },
  ],
  workspace_settings: [{ workspace_id: 1, name: 'qr_style', value: `{"text":"${'ä'}"}`, updated_at: NOON }],
  saved_views: [
    { id: 3, workspace_id: 1, user_id: 2, name: ODD, is_shared: 1, query: 'tag=%C3%A4', created_at: NOON },
  ],
  idempotency_keys: [
    {
      workspace_id: 1,
      endpoint: 'POST /api/links',
      key: ODD,
      fingerprint: hash('4'),
      status: 201,
      body: JSON.stringify({ success: true, message: ODD }),
      created_at: NOON,
    },
  ],
  clicks: [0, 1, 2, 3].map((i) => ({
    id: i + 10,
    link_id: 1,
    workspace_id: 1,
    clicked_at: NOON + i * DAY,
    dimensions_id: i === 3 ? 0 : 1,
    visitor: [LARGEST, 1, null, null][i],
    is_bot: i === 3 ? 1 : 0,
    extras: i === 1 ? JSON.stringify({ variant: ODD, alias: 'old' }) : null,
  })),
  click_dimensions: [
    { id: 1, country: 'DE', device: 'desktop', browser: 'Firefox', os: 'Linux', referrer: '' },
    { id: 8, country: '', device: 'other', browser: ODD, os: '', referrer: 'news.example' },
  ],
  link_totals: [
    { link_id: 1, workspace_id: 1, clicks: 3, visitors: 2, bots: 1, last_clicked_at: NOON },
    { link_id: 2, workspace_id: 1, clicks: 0, visitors: 0, bots: 5, last_clicked_at: null },
  ],
  link_hours: [0, 1, 2].map((hour) => ({
    link_id: 1,
    hour: 498_683 + hour,
    dimensions_id: 1,
    clicks: 1,
    visitors: 1,
    bots: 0,
  })),
  link_dimension_hours: [
    { link_id: 1, dimension: 'language', hour: 498_683, value: 'pt', clicks: 1, visitors: 1 },
    { link_id: LARGEST, dimension: 'variant', hour: 498_684, value: ODD, clicks: 2, visitors: 0 },
  ],
  link_days: [
    { link_id: 1, dimension: 'browser', day: 20_778, value: ODD, clicks: 3, visitors: 2, bots: 0 },
    { link_id: 1, dimension: 'hour', day: 20_778, value: '498683', clicks: 3, visitors: 2, bots: 1 },
  ],
  link_days_progress: [{ summed_to: 20_778, begun_to: 20_779 }],
  link_referrers: [
    { day: 20_778, link_id: 1, referrer: 'a.example' },
    { day: 20_779, link_id: LARGEST, referrer: ODD },
  ],
  workspace_totals: [{ workspace_id: 1, clicks: 3, visitors: 2, bots: 6, last_clicked_at: NOON }],
  workspace_hours: [
    { workspace_id: 1, dimension: 'referrer', hour: 498_683, value: '', clicks: 3, visitors: 2, bots: 0 },
    { workspace_id: 1, dimension: 'total', hour: 498_683, value: '', clicks: 3, visitors: 2, bots: 6 },
  ],
  seen_visits: [{ visit: 0 }, { visit: LARGEST }],
  visitor_salts: [
    { day: 20_778, salt: Uint8Array.from({ length: 32 }, (_, i) => 255 - i) },
    { day: 20_779, salt: new Uint8Array(0) },
  ],
  journal_segments: ['0a', '0b'].map((segment, i) => ({
    segment,
    node: 'node-1',
    previous_segment: i === 0 ? '0'.repeat(32) : '0a',
    base_count: i * 4,
    position: 4_711,
    clicks: 4,
    dead_letters: 0,
    damaged_bytes: i,
    missing_clicks: i,
    finished_at: i === 0 ? NOON : null,
    folder: i === 0 ? '' : 'f00d',
  })),
}

/** Ids that rows had which are gone. */
export const LAST_IDS = {
  users: 50,
  workspaces: 40,
  sessions: 9,
  passkeys: 5,
  invitations: 12,
  api_keys: 6,
  domains: 9,
  links: 4_000_000_123,
  clicks: 1_000,
  click_dimensions: 8,
  labels: 9,
  saved_views: 7,
  link_reports: 5,
}
