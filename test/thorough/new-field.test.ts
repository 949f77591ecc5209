import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Change, changedCheckout } from '../rigs/program/changed-checkout.ts'
import { FILES_OF_A_TEXT, NEW_FIELDS, TEXT_FIELD } from '../rigs/service/new-fields.data.ts'
import { useSharedFolders } from '../rigs/use-rig.ts'
import { enginesToTest } from '../rigs/store/test-store.ts'

// Fields that are added in a copy of the program as docs/architecture/how-to-add.md says, and that exist nowhere else.

const folders = useSharedFolders()

const EDIT = { campaign_note: null, priority: 8, keywords: ['c'], paused_until: null }

describe('new fields of a link', () => {
  let folder: string
  beforeAll(makeCheckout)

  test('type-check, and a text needs five files', async () => {
    const errors = await typeErrors(folder)
    expect(errors.split('\n').filter((line) => line !== '')).toEqual([
      expect.stringContaining('No type errors'),
      expect.stringContaining('No type errors'),
    ])
    expect(FILES_OF_A_TEXT.toSorted()).toEqual([
      'dashboard/links/field-strings.ts',
      'src/cli/links/link-field-options.ts',
      'src/links/fields/owner-fields.ts',
      'src/store/link-schema.ts',
      'src/store/migrations/migrations.ts',
    ])
  })

  for (const engine of enginesToTest('new fields of a link'))
    test(`are kept, shown, edited, logged, exported and obeyed on ${engine}`, async () => {
      const args = ['test/rigs/service/new-fields.script.ts', JSON.stringify(SENT), JSON.stringify(EDIT)]
      const { output, complaints, status } = await run(folder, args, { TEST_ENGINE: engine })
      expect({ status, complaints }).toEqual({ status: 0, complaints: '' })
      const { audit, row, ...seen } = JSON.parse(output)
      expect(seen).toEqual({
        status: 201,
        created: SENT,
        reused: true,
        other: 201,
        visited: 'https://example.com/paused',
        edited: 200,
        visitedThen: 'https://example.com/',
        shown: EDIT,
        bulk: 200,
        listed: LAST,
        versions: [{ keywords: CHANGES.keywords, paused_until: CHANGES.paused_until }, {}],
        head: ['paused_until', 'campaign_note', 'priority', 'keywords'],
        exported: LAST,
      })
      expect(row).toContain(',,9,"[""c""]",')
      expect(audit.slice(2)).toEqual([
        ['link.updated', { priority: { from: 8, to: 9 } }],
        ['link.updated', CHANGES],
        ['link.created', expect.objectContaining(NEW)],
      ])
    })

  async function makeCheckout(): Promise<void> {
    folder = checkoutWith(...NEW_FIELDS)
    const { output } = await run(folder, ['src/cli/main.ts', 'openapi'])
    writeFileSync(join(folder, 'docs/openapi.json'), output)
  }
})

const PARTS = TEXT_FIELD.split('\n').flatMap((line) => /^ {4}(?:\.\.\.)?(\w+)[:(]/.exec(line)?.[1] ?? [])
const WRONG = 'src/links/fields/wrong-fields.ts'

/** The field without each of its parts, and in a column that there is not, each on one line. */
const wrongFields = () =>
  [
    `import { clearable, columnField, textAnswer } from './link-field.ts'; import { lineOfText } from '../../validation/field-rules.ts'`,
    ...PARTS.map((part) => TEXT_FIELD.replace(new RegExp(`^ {4}(\\.\\.\\.)?${part}[:(].*\n`, 'm'), '')),
    TEXT_FIELD.replace("'campaign_note'", "'nowhere'"),
  ]
    .map((field, at) =>
      at === 0 ? field : `export const field${at} = ${field.replaceAll('\n', ' ').slice(0, -1)}`,
    )
    .join('\n')

/** Each where the error is expected, with a word of it. */
const LEFT_OUT: [Change, path: string, word: string][] = [
  [
    {
      path: 'src/store/link-schema.ts',
      of: 'LinkOptionColumns = {',
      instead: 'LinkOptionColumns = { orphan: string | null',
    },
    'src/links/link-fields.ts',
    'orphan',
  ],
  [
    { path: 'src/links/routes/route-options.ts', of: '  paused_until: true,\n', instead: '' },
    'src/links/routes/route-options.ts',
    'paused_until',
  ],
  [
    {
      path: 'src/cli/links/link-field-options.ts',
      of: "  priority: number('A number.'),\n",
      instead: "  lost: text('text', 'A text.'),\n",
    },
    'src/cli/links/link-field-options.ts',
    'priority',
  ],
  [
    { path: 'dashboard/links/field-strings.ts', of: "paused_until: 'pause',", instead: '' },
    'dashboard/links/field-strings.ts',
    'paused_until',
  ],
  [
    { path: 'dashboard/links/field-strings.ts', of: "priority: 'priority',", instead: '' },
    'dashboard/links/field-strings.ts',
    'priority',
  ],
  [
    {
      path: 'dashboard/links/editor/link-form.ts',
      of: '  priority: field<number | null>',
      instead: '  other: field<number | null>',
    },
    'dashboard/links/editor/link-form.ts',
    "'other' does not exist",
  ],
]
/** Accepted and lost: a text that only the schema and the command line know. */
const LOST: Change = {
  path: 'src/links/link-fields.ts',
  of: 'Object.fromEntries(inputs.map(({ name, creation }) => [name, creation])) as NewLinkShape',
  instead:
    '{ ...(Object.fromEntries(inputs.map(({ name, creation }) => [name, creation])) as NewLinkShape), lost: z.string().optional() }',
}

test('a field that lacks a part, or one that is accepted and not kept, does not compile', async () => {
  const folder = checkoutWith(...NEW_FIELDS, LOST, ...LEFT_OUT.map(([change]) => change))
  writeFileSync(join(folder, WRONG), wrongFields())
  const errors = (await typeErrors(folder)).split('\n')
  const isRefused = (place: string, word = '') =>
    errors.some((line) => line.includes(place) && line.includes('error') && line.includes(word))
  expect(PARTS.length).toBe(11)
  for (const at of [...PARTS.keys(), PARTS.length])
    expect([at, isRefused(`wrong-fields.ts(${at + 2},`)]).toEqual([at, true])
  for (const [, path, word] of LEFT_OUT) expect([path, isRefused(path, word)]).toEqual([path, true])
  expect(isRefused('src/cli/links/link-field-options.ts', 'lost')).toBe(true)
})

const ROOT = dirname(dirname(import.meta.dir))

const SENT = {
  campaign_note: 'For spring',
  priority: 7,
  keywords: ['a', 'b'],
  paused_until: '2199-01-01T00:00:00.000000Z',
}

const CHANGES = Object.fromEntries(
  Object.entries(EDIT).map(([name, to]) => [name, { from: SENT[name as keyof typeof SENT], to }]),
)

const NEW = Object.fromEntries(Object.entries(SENT).map(([name, to]) => [name, { from: null, to }]))
const LAST = { ...EDIT, priority: 9 }

/** With all that the type checker reads. */
function checkoutWith(...changes: Change[]): string {
  const folder = changedCheckout(folders.make(), ...changes)
  for (const name of ['bench', 'build', 'docs/openapi.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  return folder
}

async function run(folder: string, args: readonly string[], environment: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { output, complaints, status: await child.exited }
}

/** What the type checker says about the program and about the dashboard. */
async function typeErrors(folder: string): Promise<string> {
  const checks = [[], ['-p', 'dashboard']].map((args) => run(folder, ['check', '--no-script', ...args]))
  return (await Promise.all(checks)).map(({ output, complaints }) => output + complaints).join('\n')
}
