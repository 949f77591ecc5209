/** The structure of the program. Change it in the same commit as docs/architecture.md. */

/** Folders that every layer may use. */
export const BASE = [
  'access',
  'config',
  'errors',
  'html',
  'limits',
  'metrics',
  'network',
  'runtime',
  'signing',
  'validation',
]

/** One folder per noun. */
export const MODULES = [
  'analytics',
  'api-keys',
  'audit',
  'backups',
  'clicks',
  'codes',
  'destination-pages',
  'doctor',
  'domains',
  'email-reports',
  'export',
  'import',
  'links',
  'mail',
  'operator',
  'qr',
  'shares',
  'users',
  'workspaces',
]

/** Which layers a layer may import besides itself. Modules import each other only along MODULE_EDGES. */
export const LAYERS: Record<string, string[]> = {
  // Types and small helpers of each other.
  base: ['base'],
  store: ['base'],
  module: ['store', 'base'],
  redirect: ['module', 'base'],
  background: ['module', 'store', 'base'],
  http: ['redirect', 'module', 'store', 'base'],
  cli: ['http', 'background', 'redirect', 'module', 'store', 'base'],
  // Besides itself: types of any layer, images and styles; no server code at run time.
  dashboard: [],
}

/** From module to module: few, and never in a cycle. */
export const MODULE_EDGES: [from: string, to: string][] = [
  ['links', 'audit'],
  ['workspaces', 'audit'],
  ['users', 'audit'],
  ['operator', 'audit'],
  ['api-keys', 'audit'],
  ['links', 'clicks'],
  ['links', 'codes'],
  ['domains', 'audit'],
  ['domains', 'codes'],
  ['domains', 'destination-pages'],
  ['domains', 'links'],
  ['domains', 'mail'],
  ['domains', 'users'],
  ['domains', 'workspaces'],
  ['email-reports', 'analytics'],
  ['email-reports', 'clicks'],
  ['email-reports', 'links'],
  ['email-reports', 'mail'],
  ['email-reports', 'users'],
  ['email-reports', 'workspaces'],
  ['backups', 'clicks'],
  ['qr', 'links'],
  ['analytics', 'codes'],
  ['analytics', 'links'],
  ['analytics', 'clicks'],
  ['destination-pages', 'links'],
  ['shares', 'analytics'],
  ['shares', 'audit'],
  ['shares', 'clicks'],
  ['shares', 'links'],
  ['shares', 'users'],
  ['workspaces', 'clicks'],
  ['workspaces', 'codes'],
  ['workspaces', 'import'],
  ['workspaces', 'links'],
  ['workspaces', 'qr'],
  ['users', 'links'],
  ['users', 'mail'],
  ['users', 'workspaces'],
  ['operator', 'links'],
  ['operator', 'mail'],
  ['operator', 'users'],
  ['operator', 'workspaces'],
  ['api-keys', 'users'],
  ['api-keys', 'workspaces'],
  ['export', 'analytics'],
  ['export', 'api-keys'],
  ['export', 'clicks'],
  ['export', 'links'],
  ['export', 'shares'],
  ['export', 'users'],
  ['export', 'workspaces'],
  ['import', 'analytics'],
  ['import', 'audit'],
  ['import', 'clicks'],
  ['import', 'codes'],
  ['import', 'destination-pages'],
  ['import', 'links'],
  ['doctor', 'clicks'],
  ['doctor', 'codes'],
  ['doctor', 'domains'],
  ['doctor', 'links'],
  ['doctor', 'mail'],
  ['doctor', 'users'],
  ['doctor', 'workspaces'],
]

/** `modules` are imported, `code` is run, only in files whose path begins with one of `only`. */
export type Fence = { what: string; modules?: RegExp; code?: RegExp; only: string[] }

const HTTP = ['src/http/', 'src/redirect/']

export const FENCES: Fence[] = [
  { what: 'hono', modules: /^(hono|@hono\/[^/]+)(\/|$)/, only: HTTP },
  {
    what: 'kysely',
    modules: /^kysely(\/|$)/,
    only: ['src/store/', 'src/background/', ...MODULES.map((module) => `src/${module}/`)],
  },
  // Both bypass the types of the handles.
  { what: 'a handle of its own', code: /\b(handleOn|kyselyOf)\b/, only: ['src/store/'] },
  { what: 'bun:sqlite', modules: /^bun:sqlite$/, only: ['src/store/'] },
  { what: 'DuckDB', modules: /^@duckdb\//, only: ['src/clicks/parquet/duckdb.ts'] },
  { what: 'Bun.SQL', code: /\bBun\.(SQL|sql)\b|\bnew SQL\(/, only: ['src/store/'] },
  { what: 'nodemailer', modules: /^nodemailer(\/|$)/, only: ['src/mail/mail-library.ts'] },
  {
    what: 'what takes long to load and is seldom needed',
    modules: /^(otpauth|@simplewebauthn\/server)(\/|$)/,
    only: ['src/users/second-factor/'],
  },
  {
    what: 'openid-client',
    modules: /^openid-client(\/|$)/,
    only: ['src/users/single-sign-on/openid-connect.ts'],
  },
  {
    what: 'react',
    modules: /^(react(-dom)?|radix-ui|@tanstack\/[^/]+|wouter|uplot|lucide-react)(\/|$)/,
    only: ['dashboard/'],
  },
  {
    what: 'the environment',
    modules: /^(node:)?process$/,
    code: /\b(process|Bun|import\.meta)\.env\b/,
    // The build passes its value to the bundler.
    only: ['src/config/config.ts', 'src/cli/service/tune-runtime.ts', 'dashboard/build/'],
  },
  {
    what: 'the current time',
    code: /\bDate\.now\b|\bnew Date\b(?!\()|\bnew Date\(\s*\)|\bTemporal\.Now\b|\bperformance\.now\b|\bhrtime\b|\bBun\.nanoseconds\b/,
    only: ['src/runtime/clock.ts', 'src/runtime/log.ts', 'dashboard/now.ts'],
  },
  {
    what: 'an outgoing fetch',
    // Not `app.fetch(…)`, which is our own, and not `fetch(request) {`, which defines one.
    code: /(?<![.\w$])fetch\s*\((?![^()]*\)\s*\{)|\b(globalThis|Bun)\.fetch\b/,
    only: [
      // In the browser, to its own server.
      'dashboard/api/request.ts',
      'dashboard/api/send-bytes.ts',
      // The text of an example.
      'dashboard/keys/new-key-dialog.tsx',
      // To the server that the user of the command line names.
      'src/cli/links/call-api.ts',
      // To issuers, which the operator sets.
      'src/users/single-sign-on/provider-fetch.ts',
      // To the server of CLICKHOUSE_URL.
      'src/clicks/clickhouse/clickhouse.ts',
    ],
  },
  // Both take quadratic time, so these files bound the length, or the length of runs, first.
  {
    what: 'Unicode normalization',
    code: /\.normalize\(/,
    only: ['src/codes/unusual-code.ts', 'src/users/password/', 'src/store/fold-search.ts', 'dashboard/'],
  },
  {
    what: 'parsing a URL',
    // Not of BASE_URL, and not of what the program writes itself.
    code: /\bURL\.(parse|canParse)\b|\bnew URL\((?!\s*[,)"'`]|([\w#]+\.)*baseUrl\b)/,
    only: [
      'src/links/destinations/parse-url.ts',
      'dashboard/',
      // Destinations that were checked before, as input or before they were stored.
      'src/domains/edit-domain.ts',
      'src/links/find-link.ts',
      'src/links/place-links.ts',
      'src/api-keys/find-key.ts',
      'src/api-keys/read-restrictions.ts',
      'src/links/routes/',
      'src/links/rules/compile-rules.ts',
      'src/http/pages/preview-page.ts',
      // What pages refer to, up to a length, and what the client has read.
      'src/destination-pages/guarded-client.ts',
      'src/domains/domain-checks.ts',
      // Of the operator: settings, and the origins of domains.
      'src/config/',
      'src/clicks/clickhouse/clickhouse.ts',
      'src/users/single-sign-on/',
      'src/store/move/move-location.ts',
      'src/links/domains/domains.ts',
    ],
  },
  {
    what: 'an outgoing HTTP client',
    modules: /^(node:)?(https?|http2|tls|dns(\/promises)?)$|^undici/,
    only: [
      'src/destination-pages/guarded-client.ts',
      'src/destination-pages/resolve-host.ts',
      'src/destination-pages/server-certificate.ts',
      // To this program only.
      'src/cli/commands/health-command.ts',
    ],
  },
  {
    what: 'an outgoing connection',
    code: /\bBun\.(connect|udpSocket)\b|\bnew (WebSocket|EventSource|Socket)\b|\bcreateConnection\b|\{[^}]*\b(connect|Socket)\b[^}]*\} from '(node:)?net'/,
    // Both to this program only.
    only: ['src/http/api-proxy/proxied-connection.ts', 'dashboard/analytics/live-clicks.ts'],
  },
  { what: 'an HTTP status', code: /\bstatus:\s*[1-5]\d\d\b|\.status\(/, only: HTTP },
]

/** All that runs when a visitor opens a link that is in the cache. It is on this list by decision, not by accident. */
export const HOT_PATH = {
  eachVisit: [
    'src/clicks/journal/click-extras.ts',
    'src/clicks/journal/click.ts',
    'src/clicks/journal/frame.ts',
    'src/clicks/journal/journal.ts',
    'src/clicks/visitor/geo-location.ts',
    'src/clicks/visitor/ipv4-tree.ts',
    'src/clicks/visitor/memoize.ts',
    'src/clicks/visitor/referrer-host.ts',
    'src/clicks/visitor/visitor-hash.ts',
    'src/codes/code-rules.ts',
    'src/http/redirect-server/request-head.ts',
    'src/http/redirect-server/request-reader.ts',
    'src/http/redirect-server/response-sender.ts',
    'src/http/requests/read-visit.ts',
    'src/links/domains/domain-hosts.ts',
    'src/links/link-key.ts',
    'src/links/routes/link-cache.ts',
    'src/metrics/instruments.ts',
    'src/redirect/accept-language.ts',
    'src/redirect/click-extras-of.ts',
    'src/redirect/decide-route.ts',
    'src/redirect/open-link.ts',
  ],
  /** Once for all visits that are written to the journal together. */
  eachGroup: [
    'src/background/background-channel.ts',
    'src/cli/service/open-service.ts',
    'src/clicks/journal/files.ts',
    'src/clicks/journal/segment-sequence.ts',
    'src/clicks/journal/segment-writer.ts',
    'src/runtime/clock.ts',
    'src/store/files/write-all.ts',
  ],
  filesMax: 22,
  /** Of the files of each visit. */
  linesMax: 1_710,
}

export const FOLDER_NAMES_BANNED = ['common', 'helper', 'helpers', 'lib', 'misc', 'shared', 'util', 'utils']

/** Aim at 250. */
export const LINES_MAX = 300

/** Before the first test of a file. */
export const LINES_BEFORE_TESTS_MAX = 10

/** Aim at 60 lines and three parameters. The rest is room for what reads worse in pieces. */
export const FUNCTION_MAX = { lines: 75, parameters: 4 }
