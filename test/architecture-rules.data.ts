/** What the house is made of. Change it in the same commit as docs/architecture.md. */

/** Files directly in src/. */
export const VOCABULARY = [
  'caller',
  'clock',
  'config',
  'config-table',
  'html',
  'log',
  'refusal',
  'setting-kinds',
  'unknown-settings',
]

/** The nouns. */
export const ROOMS = ['accounts', 'analytics', 'api-keys', 'clicks', 'codes', 'links', 'qr']

/** Which floors a floor may import besides itself. Rooms import each other only along ROOM_EDGES. */
export const FLOORS: Record<string, string[]> = {
  vocabulary: [],
  store: ['vocabulary'],
  room: ['store', 'vocabulary'],
  redirect: ['room', 'store', 'vocabulary'],
  background: ['room', 'store', 'vocabulary'],
  http: ['redirect', 'room', 'store', 'vocabulary'],
  cli: ['http', 'background', 'redirect', 'room', 'store', 'vocabulary'],
}

/** From room to room: few, and never in a circle. */
export const ROOM_EDGES: [from: string, to: string][] = [['links', 'codes']]

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
  reaches: ['src/redirect/open-link.ts'],
}

export const FOLDER_NAMES_BANNED = ['common', 'helper', 'helpers', 'lib', 'misc', 'shared', 'util', 'utils']

export const LINES_MAX = 250

/** Path to the reason why the file may be longer. */
export const LONGER_FILES: Record<string, string> = {}

/** Path to the reason why the file has no test beside it: which test covers it. */
export const TESTED_ELSEWHERE: Record<string, string> = {}
