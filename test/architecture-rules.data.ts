/** What the house is made of. Change it in the same commit as docs/architecture.md. */

/** Files directly in src/. */
export const VOCABULARY = [
  'caller',
  'clock',
  'config',
  'config-table',
  'error-body',
  'event-loop-delay',
  'html',
  'instruments',
  'log',
  'metrics',
  'refusal',
  'setting-kinds',
  'thread',
  'unknown-settings',
  'version',
]

/** The nouns. */
export const ROOMS = [
  'accounts',
  'analytics',
  'api-keys',
  'backups',
  'clicks',
  'codes',
  'doctor',
  'links',
  'qr',
]

/** Which floors a floor may import besides itself. Rooms import each other only along ROOM_EDGES. */
export const FLOORS: Record<string, string[]> = {
  vocabulary: [],
  store: ['vocabulary'],
  room: ['store', 'vocabulary'],
  redirect: ['room', 'vocabulary'],
  background: ['room', 'store', 'vocabulary'],
  http: ['redirect', 'room', 'store', 'vocabulary'],
  cli: ['http', 'background', 'redirect', 'room', 'store', 'vocabulary'],
}

/** From room to room: few, and never in a circle. */
export const ROOM_EDGES: [from: string, to: string][] = [
  ['links', 'codes'],
  ['analytics', 'links'],
  ['api-keys', 'accounts'],
  ['doctor', 'clicks'],
  ['doctor', 'codes'],
  ['doctor', 'links'],
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
  { what: 'react', modules: /^react(-dom)?(\/|$)/, only: [] },
  {
    what: 'the environment',
    modules: /^(node:)?process$/,
    code: /\b(process|Bun|import\.meta)\.env\b/,
    only: ['src/config.ts'],
  },
  {
    what: 'the current time',
    code: /\bDate\.now\b|\bnew Date\b(?!\()|\bnew Date\(\s*\)|\bTemporal\.Now\b|\bperformance\.now\b|\bhrtime\b|\bBun\.nanoseconds\b/,
    only: ['src/clock.ts', 'src/log.ts'],
  },
  {
    what: 'an outgoing fetch',
    // Not `app.fetch(…)`, which is our own, and not `fetch(request) {`, which defines one.
    code: /(?<![.\w$])fetch\s*\((?![^()]*\)\s*\{)|\b(globalThis|Bun)\.fetch\b/,
    only: [],
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
export const LONGER_FILES: Record<string, string> = {}

/** Path to the test that covers it, where that is not one beside it. */
export const TESTED_ELSEWHERE: Record<string, string> = {
  'src/accounts/account.ts': 'src/accounts/create-account.test.ts',
  'src/accounts/assign-plan.ts': 'src/accounts/find-account.test.ts',
  'src/accounts/verify-email.ts': 'src/accounts/find-account.test.ts',
  'src/analytics/click-counts.ts': 'test/specification/analytics.test.ts',
  'src/analytics/link-counts.ts': 'src/clicks/link-days.test.ts',
  'src/analytics/overview.ts': 'test/specification/analytics-overview.test.ts',
  'src/analytics/public-stats.ts': 'test/specification/public.test.ts',
  'src/backups/backup-manifest.ts': 'src/backups/restore-backup.test.ts',
  'src/background/background-thread.ts': 'src/background/background-line.test.ts',
  'src/cli/openapi-command.ts': 'test/specification/openapi.test.ts',
  'src/clicks/segment-rows.ts': 'src/clicks/journal-reader.test.ts',
  'src/cli/backup-commands.ts': 'test/backup-and-restore.test.ts',
  'src/clicks/take-back-segments.ts': 'test/backup-and-restore.test.ts',
  'src/cli/doctor-command.ts': 'test/doctor.test.ts',
  'src/cli/recount-command.ts': 'test/doctor.test.ts',
  'src/clicks/counter-claims.ts': 'src/clicks/check-counters.test.ts',
  'src/codes/block-lost-codes.ts': 'src/codes/open-code-log.test.ts',
  'src/codes/log-file.ts': 'src/codes/code-log.test.ts',
  'src/codes/make-code-log.ts': 'src/codes/open-code-log.test.ts',
  'src/doctor/check-codes.ts': 'test/doctor.test.ts',
  'src/doctor/check-database.ts': 'test/doctor.test.ts',
  'src/doctor/check-journal.ts': 'test/doctor.test.ts',
  'src/doctor/check-visitors.ts': 'test/doctor.test.ts',
  'src/doctor/examine.ts': 'test/doctor.test.ts',
  'src/doctor/finding.ts': 'test/doctor.test.ts',
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
  'src/store/database-copy.ts': 'src/backups/restore-backup.test.ts',
  'src/store/migrations/0002-code-log.sqlite.ts': 'src/store/migrations/0001-foundation.sqlite.test.ts',
  'src/store/open-store-reader.ts': 'test/backup-and-restore.test.ts',
  'src/store/unfinished-restore.ts': 'src/backups/restore-backup.test.ts',
}
