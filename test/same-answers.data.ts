export type RigRequest = { method: string; path: string; body?: unknown; headers?: Record<string, string> }

/** One that has everything: letters of many kinds, what SQL quotes, what LIKE reads. */
const TITLE = `Größe "50 %" _ \\ 'x' 🐦 ΑΒΓ`

/** What a client does in a day; `CODE` is the code that was assigned to it. */
export const REQUESTS: RigRequest[] = [
  { method: 'GET', path: '/api/links' },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/a?b=c#d', title: TITLE, custom_code: 'one' },
  },
  {
    method: 'POST',
    path: '/api/links',
    body: { url: 'https://example.com/two', custom_code: 'two', is_active: false },
  },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/once' },
    headers: { 'Idempotency-Key': 'k' },
  },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/once' },
    headers: { 'Idempotency-Key': 'k' },
  },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/other' },
    headers: { 'Idempotency-Key': 'k' },
  },
  { method: 'POST', path: '/api/links', body: { original_url: 'https://example.com/', custom_code: 'one' } },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'nothing', title: 'a\0b', custom_code: 'ad min' },
  },
  {
    method: 'POST',
    path: '/api/bulk-shorten',
    body: {
      links: Array.from({ length: 40 }, (_, n) => ({
        original_url: `https://example.com/${n}`,
        custom_code: `bulk-${n}`,
      })),
    },
  },
  {
    method: 'POST',
    path: '/api/bulk-shorten',
    body: { links: [{ original_url: 'https://example.com/', custom_code: 'one' }, { original_url: 'x' }] },
  },
  { method: 'GET', path: '/two' },
  { method: 'GET', path: '/nobody' },
  { method: 'PUT', path: '/api/links/one', body: { title: null, original_url: 'https://example.com/new' } },
  { method: 'PUT', path: '/api/links/two', body: { title: TITLE.toUpperCase(), is_active: true } },
  { method: 'POST', path: '/api/links/two/toggle' },
  { method: 'DELETE', path: '/api/links/bulk-7' },
  { method: 'DELETE', path: '/api/links/bulk-7' },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/again', custom_code: 'bulk-7' },
  },
  { method: 'DELETE', path: '/api/trash/bulk-7' },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/again', custom_code: 'bulk-7' },
  },
  { method: 'GET', path: '/api/links/one' },
  { method: 'GET', path: '/api/links/ONE' },
  { method: 'GET', path: '/api/links/a%00b' },
  { method: 'GET', path: '/api/links?per_page=5&page=3' },
  { method: 'GET', path: '/api/links?per_page=100&page=9' },
  ...['GRÖSSE', 'größe', '50 %', '_', '\\', '%', 'example.com/1', '🐦', 'αβγ', 'zzz'].map((search) => ({
    method: 'GET',
    path: `/api/links?search=${encodeURIComponent(search)}`,
  })),
  { method: 'GET', path: '/api/links?page=x&per_page=0' },
  { method: 'GET', path: '/api/info/one' },
  { method: 'GET', path: '/api/info/none' },
  // Last, because the engines may count clicks at different moments.
  { method: 'GET', path: '/one' },
  { method: 'GET', path: '/one' },
]

/** Once its clicks are counted. */
export const REQUESTS_WHEN_COUNTED: RigRequest[] = [
  { method: 'GET', path: '/api/links/one' },
  { method: 'GET', path: '/api/analytics/overview' },
  { method: 'GET', path: '/api/analytics/links/one?period=24h&granularity=day' },
  { method: 'GET', path: '/api/analytics/clicks?period=7d' },
  { method: 'GET', path: '/api/analytics/countries' },
  { method: 'GET', path: '/api/analytics/devices?short_code=one' },
  { method: 'GET', path: '/api/analytics/browsers?timezone=Asia/Kathmandu' },
  { method: 'GET', path: '/api/analytics/browsers?limit=0&timezone=Nowhere' },
  { method: 'GET', path: '/api/account' },
  { method: 'GET', path: '/api/account/usage' },
  { method: 'GET', path: '/api/account/api-keys' },
  { method: 'GET', path: '/api/stats/public' },
]
