/** What the house is made of. Change it in the same commit as docs/architecture.md. */

/** Files directly in src/. */
export const VOCABULARY = [
  'caller',
  'clock',
  'config',
  'config-table',
  'error-body',
  'html',
  'log',
  'refusal',
  'setting-kinds',
  'thread',
  'unknown-settings',
]

/** The nouns. */
export const ROOMS = ['accounts', 'analytics', 'api-keys', 'clicks', 'codes', 'links', 'qr']

/** Which floors a floor may import besides itself. Rooms import each other only along ROOM_EDGES. */
export const FLOORS: Record<string, string[]> = {
  vocabulary: [],
  store: ['vocabulary'],
  room: ['store', 'vocabulary'],
  redirect: ['room', 'vocabulary'],
  background: ['room', 'store', 'vocabulary'],
  http: ['redirect', 'room', 'store', 'vocabulary'],
  cli: ['http', 'background', 'redirect', 'room', 'store', 'vocabulary'],
  // Besides itself: types of any floor, pictures and styles; nothing of the server that runs.
  dashboard: [],
}

/** From room to room: few, and never in a circle. */
export const ROOM_EDGES: [from: string, to: string][] = [
  ['links', 'codes'],
  ['analytics', 'links'],
  ['api-keys', 'accounts'],
]

/** `modules` are imported, `code` is run, only in files whose path begins with one of `only`. */
export type Fence = { what: string; modules?: RegExp; code?: RegExp; only: string[] }

const HTTP = ['src/http/', 'src/redirect/']

export const FENCES: Fence[] = [
  { what: 'hono', modules: /^(hono|@hono\/[^/]+)(\/|$)/, only: HTTP },
  {
    what: 'kysely',
    modules: /^kysely(\/|$)/,
    only: ['src/store/', 'src/background/', ...ROOMS.map((room) => `src/${room}/`)],
  },
  { what: 'bun:sqlite', modules: /^bun:sqlite$/, only: ['src/store/'] },
  { what: 'Bun.SQL', code: /\bBun\.(SQL|sql)\b|\bnew SQL\(/, only: ['src/store/'] },
  {
    what: 'react',
    modules: /^(react(-dom)?|radix-ui|@tanstack\/[^/]+|wouter|uplot|lucide-react)(\/|$)/,
    only: ['dashboard/'],
  },
  {
    what: 'the environment',
    modules: /^(node:)?process$/,
    code: /\b(process|Bun|import\.meta)\.env\b/,
    // The build says to the bundler what stands for it.
    only: ['src/config.ts', 'dashboard/build/'],
  },
  {
    what: 'the current time',
    code: /\bDate\.now\b|\bnew Date\b(?!\()|\bnew Date\(\s*\)|\bTemporal\.Now\b|\bperformance\.now\b|\bhrtime\b|\bBun\.nanoseconds\b/,
    only: ['src/clock.ts', 'src/log.ts', 'dashboard/now.ts'],
  },
  {
    what: 'an outgoing fetch',
    // Not `app.fetch(…)`, which is our own, and not `fetch(request) {`, which defines one.
    code: /(?<![.\w$])fetch\s*\((?![^()]*\)\s*\{)|\b(globalThis|Bun)\.fetch\b/,
    // In the browser, to the service it came from.
    only: ['dashboard/request.ts'],
  },
  { what: 'an HTTP status', code: /\bstatus:\s*[1-5]\d\d\b|\.status\(/, only: HTTP },
]

/** All that runs between a visitor's request and the redirect. It is on this list by decision, not by accident. */
export const HOT_PATH = {
  start: 'src/redirect/open-link.ts',
  reaches: [
    'src/clicks/click.ts',
    'src/clicks/referrer-host.ts',
    'src/error-body.ts',
    'src/html.ts',
    'src/redirect/notice-pages.ts',
    'src/redirect/notices.ts',
    'src/redirect/open-link.ts',
  ],
}

export const FOLDER_NAMES_BANNED = ['common', 'helper', 'helpers', 'lib', 'misc', 'shared', 'util', 'utils']

export const LINES_MAX = 250

/** Path to the reason why the file may be longer. */
export const LONGER_FILES: Record<string, string> = {
  'dashboard/words.ts': 'every English text of the dashboard in one place',
}

/** Path, or folder with its slash, to the test that covers it, where that is not one beside it. */
export const TESTED_ELSEWHERE: Record<string, string> = {
  'dashboard/account/': 'test/browser/account-pages.test.ts',
  'dashboard/admin/': 'test/browser/account-pages.test.ts',
  'dashboard/analytics/click-figures.tsx': 'test/browser/click-pages.test.ts',
  'dashboard/analytics/range-tools.tsx': 'test/browser/click-pages.test.ts',
  'dashboard/api-client.ts': 'test/browser/links-page.test.ts',
  'dashboard/app.tsx': 'test/browser/every-page.test.ts',
  'dashboard/build/country-numbers.ts': 'dashboard/build/make-world-map.test.ts',
  'dashboard/gallery/': 'test/browser/gallery.test.ts',
  'dashboard/links/bulk-dialog.tsx': 'test/browser/bulk-links.test.ts',
  'dashboard/links/code-field.tsx': 'test/browser/links-page.test.ts',
  'dashboard/links/create-link.tsx': 'test/browser/links-page.test.ts',
  'dashboard/links/edit-dialog.tsx': 'test/browser/links-page.test.ts',
  'dashboard/links/link-actions.tsx': 'test/browser/links-page.test.ts',
  'dashboard/links/link-columns.tsx': 'test/browser/links-page.test.ts',
  'dashboard/links/link-list.tsx': 'test/browser/links-page.test.ts',
  'dashboard/links/link-tools.tsx': 'test/browser/links-page.test.ts',
  'dashboard/links/qr-dialog.tsx': 'test/browser/links-page.test.ts',
  'dashboard/live-clicks.ts': 'test/browser/click-pages.test.ts',
  'dashboard/main.tsx': 'test/browser/every-page.test.ts',
  'dashboard/now.ts': 'dashboard/format.test.ts',
  'dashboard/pages/': 'test/browser/every-page.test.ts',
  'dashboard/parts/': 'test/browser/gallery.test.ts',
  'dashboard/pending-deletions.ts': 'test/browser/links-page.test.ts',
  'dashboard/queries.ts': 'test/browser/links-page.test.ts',
  'dashboard/request.ts': 'test/browser/links-page.test.ts',
  'dashboard/shell/': 'test/browser/every-page.test.ts',
  'dashboard/shortcuts.ts': 'test/browser/links-page.test.ts',
  'dashboard/theme.ts': 'test/browser/every-page.test.ts',
  'dashboard/use-settled.ts': 'test/browser/links-page.test.ts',
  'dashboard/words.ts': 'test/browser/every-page.test.ts',
  'src/accounts/account.ts': 'src/accounts/create-account.test.ts',
  'src/accounts/assign-plan.ts': 'src/accounts/find-account.test.ts',
  'src/accounts/verify-email.ts': 'src/accounts/find-account.test.ts',
  'src/analytics/click-counts.ts': 'test/specification/analytics.test.ts',
  'src/analytics/overview.ts': 'test/specification/analytics-overview.test.ts',
  'src/analytics/public-stats.ts': 'test/specification/public.test.ts',
  'src/background/background-thread.ts': 'src/background/background-line.test.ts',
  'src/http/answer-endpoint.ts': 'test/specification/order-of-checks.test.ts',
  'src/http/api-thread.ts': 'src/http/api-line.test.ts',
  'src/http/api-version.ts': 'test/specification/public.test.ts',
  'src/http/api/account-endpoints.ts': 'test/specification/account.test.ts',
  'src/http/api/analytics-endpoints.ts': 'test/specification/analytics.test.ts',
  'src/http/api/analytics-schemas.ts': 'test/specification/documented-answers.test.ts',
  'src/http/api/analytics-views.ts': 'test/specification/analytics.test.ts',
  'src/http/api/create-link-endpoints.ts': 'test/specification/links-create.test.ts',
  'src/http/api/link-analytics-endpoint.ts': 'test/specification/analytics.test.ts',
  'src/http/api/link-endpoints.ts': 'test/specification/links-change.test.ts',
  'src/http/api/link-view.ts': 'test/specification/links-create.test.ts',
  'src/http/api/public-endpoints.ts': 'test/specification/public.test.ts',
  'src/http/api/schemas.ts': 'test/specification/documented-answers.test.ts',
  'src/http/app.ts': 'test/security/faults.test.ts',
  'src/http/authenticate.ts': 'test/specification/keys-and-scopes.test.ts',
  'src/http/envelope.ts': 'test/specification/documented-answers.test.ts',
  'src/http/limit-rate.ts': 'test/specification/rate-limit.test.ts',
  'src/http/openapi.ts': 'test/specification/openapi.test.ts',
  'src/http/pages/operation-html.ts': 'src/http/pages/reference-page.test.ts',
  'src/http/pages/sample-openapi.ts': 'src/http/pages/reference-page.test.ts',
  'src/http/pages/site-shell.ts': 'test/security/pages.test.ts',
  'src/http/pages/tern-drawing.ts': 'test/security/pages.test.ts',
  'src/http/permissions.ts': 'test/specification/order-of-checks.test.ts',
  'src/http/plain-answer.ts': 'src/http/front-door.test.ts',
  'src/http/site.ts': 'test/specification/qr-codes.test.ts',
  'src/http/targets.ts': 'src/http/front-door.test.ts',
  'src/links/count-links.ts': 'test/specification/links-list.test.ts',
  'src/links/create-links.ts': 'test/specification/links-create.test.ts',
  'src/links/delete-link.ts': 'test/specification/links-change.test.ts',
  'src/links/destination-rules.ts': 'test/security/destinations.test.ts',
  'src/links/find-link.ts': 'test/specification/links-create.test.ts',
  'src/links/link-text.ts': 'test/specification/links-search.test.ts',
  'src/links/link.ts': 'test/specification/links-create.test.ts',
  'src/links/list-links.ts': 'test/specification/links-list.test.ts',
  'src/links/toggle-link.ts': 'test/specification/links-change.test.ts',
}
