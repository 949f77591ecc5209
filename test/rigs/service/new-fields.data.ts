import type { Change } from '../program/changed-checkout.ts'

// A new field of a link of each kind, added as docs/architecture/how-to-add.md says.

const after = (path: string, of: string, added: string): Change => ({ path, of, instead: of + added })

const FIELDS = 'src/links/fields'
const COLUMNS = { campaign_note: 'TEXT', priority: 'INTEGER', keywords: 'TEXT', paused_until: 'INTEGER' }
const ON_POSTGRES = { TEXT: 'TEXT COLLATE "C"', INTEGER: 'BIGINT' } as Record<string, string>
const add = (name: string, type: string) =>
  JSON.stringify(['links', 'deleted_links'].map((table) => `ALTER TABLE ${table} ADD COLUMN ${name} ${type}`))
const MIGRATIONS = Object.entries(COLUMNS).map(
  ([name, type], at) =>
    `  '000${at + 2}-${name}': { sqlite: ${add(name, type)}, postgres: ${add(name, ON_POSTGRES[type]!)} },\n`,
)

/** Of the store. */
const STORED: Change[] = [
  after(
    'src/store/link-schema.ts',
    'export type LinkOptionColumns = {\n',
    'campaign_note: string | null\npriority: number | null\nkeywords: string | null\npaused_until: number | null\n',
  ),
  after(
    'src/store/migrations/migrations.ts',
    "'0001-first': { sqlite: statementsOf(firstOnSqlite), postgres: statementsOf(firstOnPostgres) },\n",
    MIGRATIONS.join(''),
  ),
]

/** A text, by itself, to leave out its parts. */
export const TEXT_FIELD = `columnField({
    ...clearable(() => lineOfText(100), { description: 'A text.' }),
    inBulk: false,
    column: 'campaign_note',
    isText: true,
    store: (text) => (text === '' ? null : text),
    show: (stored) => stored,
    answer: textAnswer('A text.'),
    isRouted: false,
    publishedKeys: 'refused',
    equal: 'ifSent',
    history: 'auditOnly',
  }),`

const DEFINED: Change[] = [
  after(
    `${FIELDS}/owner-fields.ts`,
    'export const OWNER_FIELDS = {\n',
    `  campaign_note: ${TEXT_FIELD}
  priority: columnField({
    ...clearable(() => z.number('The :attribute must be a number.'), { description: 'A number.' }),
    column: 'priority',
    isText: false,
    store: asSent,
    show: asSent,
    answer: z.number().nullable().meta({ description: 'A number.', example: null }),
    ...FOR_THE_OWNER,
    inBulk: true,
  }),
  keywords: columnField({
    ...clearable(() => boundedList(lineOfText(20), { min: 0, max: 5 }), { description: 'A list.' }),
    column: 'keywords',
    isText: true,
    store: (words) => words && JSON.stringify(words),
    show: (stored): string[] | null => stored && JSON.parse(stored),
    answer: z.array(z.string()).nullable().meta({ description: 'A list.', example: null }),
    ...FOR_THE_OWNER,
    history: 'version',
  }),
`,
  ),
  after(
    `${FIELDS}/owner-fields.ts`,
    "import { z } from 'zod'\n",
    "import { boundedList } from '../bounded-list.ts'\n",
  ),
  { path: `${FIELDS}/owner-fields.ts`, of: 'import { clearable', instead: 'import { asSent, clearable' },
  after(
    `${FIELDS}/visitor-fields.ts`,
    'export const VISITOR_FIELDS = {\n',
    `  paused_until: columnField({
    ...clearable(() => time, { description: 'A time.' }),
    column: 'paused_until',
    ...timeColumn,
    answer: timeAnswer('A time.'),
    ...WHAT_VISITORS_MEET,
  }),
`,
  ),
]

const ROUTES = 'src/links/routes/route-options.ts'

/** One of them decides where visitors go. */
const ROUTED: Change[] = [
  after(ROUTES, 'export type RouteOptions = {\n', '  pausedUntilUs: number | null\n'),
  after(ROUTES, 'const IS_ROUTED: Record<RoutedColumn, true> = {\n', '  paused_until: true,\n'),
  after(ROUTES, '    startsAtUs: columns.starts_at,\n', '    pausedUntilUs: columns.paused_until,\n'),
  after(ROUTES, '    starts_at: options.startsAtUs,\n', '    paused_until: options.pausedUntilUs,\n'),
  after(ROUTES, 'const ENCODED = z.object({\n', '  paused_until: number,\n'),
  {
    path: 'src/redirect/decide-options.ts',
    of: '  if (expiresAtUs !== null',
    instead: `  const { pausedUntilUs } = options
  if (pausedUntilUs !== null && facts.nowUs() < pausedUntilUs)
    return closed({ kind: 'scheduled', startsAtUs: pausedUntilUs }, facts, fallbackOf(options, facts))
  if (expiresAtUs !== null`,
  },
]

const FORM = 'dashboard/links/editor/link-form.ts'

/** Where people read and write them. */
const SHOWN: Change[] = [
  after(
    'src/cli/links/link-field-options.ts',
    'const FIELDS = {\n',
    `  campaign_note: text('text', 'A text.'),
  priority: number('A number.'),
  keywords: texts('word', 'A list.'),
  paused_until: text('time', 'A time.'),
`,
  ),
  after(
    'dashboard/links/field-strings.ts',
    'versioned: {\n',
    "keywords: 'keywords',\npaused_until: 'pause',\n",
  ),
  after(
    'dashboard/links/field-strings.ts',
    'auditOnly: {\n',
    "campaign_note: 'campaign note',\npriority: 'priority',\n",
  ),
  after(
    'dashboard/links/field-strings.ts',
    'inputs: {\n',
    "campaign_note: { label: 'Campaign note', hint: '', maxLength: 100 },\n",
  ),
  after(
    FORM,
    'const FIELDS = {\n',
    `  priority: field<number | null>({ empty: null, of: (link) => link.priority, sent: (priority) => priority }),
  keywords: field<string[] | null>({ empty: null, of: (link) => link.keywords, sent: (words) => words }),
  paused_until: text('paused_until'),
`,
  ),
  after(FORM, "type LinkText = 'notes'", " | 'paused_until'"),
]

export const NEW_FIELDS: Change[] = [...STORED, ...DEFINED, ...ROUTED, ...SHOWN]

/** What a text with a plain input needs. */
export const FILES_OF_A_TEXT = [
  ...new Set(
    [...STORED, ...DEFINED, ...SHOWN]
      .filter(({ instead }) => instead.includes('campaign_note'))
      .map(({ path }) => path),
  ),
]
