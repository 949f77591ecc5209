import { describe, expect, test } from 'bun:test'
import { fieldErrorsOf } from '../../errors/field-errors.ts'
import { isoOrNull } from '../../runtime/clock.ts'
import { Blocks } from '../destinations/blocks.ts'
import { linkColumns, linkSchemas, optionViews, shownOptions } from '../link-fields.ts'
import { timeConflicts } from '../link-times.ts'

const blocks = new Blocks()
blocks.replace({ hosts: ['evil.example'], workspaceIds: [], closedWorkspaceIds: [] })
const { linkEdit } = linkSchemas({ ownHosts: new Set(['tern.example']), allowPrivate: false, blocks })
const read = (input: object) => linkEdit.safeParse(input)
const columnsOf = (input: object) => linkColumns(read(input).data!)

describe('a time', () => {
  test.each([
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01T09:00:00.250+02:00', '2026-12-01T07:00:00.250Z'],
    ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00.000Z'],
    ['1685-01-01T00:00:00Z', '1685-01-01T00:00:00.000Z'],
    ['2254-12-31T23:59:59.999Z', '2254-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, iso) => {
    const { expires_at: us } = columnsOf({ expires_at: text })
    expect([us, isoOrNull(us!)]).toEqual([Date.parse(iso) * 1000, iso.replace('Z', '000Z')])
    expect(Number.isSafeInteger(us)).toBe(true)
  })

  test.each([
    '',
    'soon',
    '2026-12-01',
    '2026-12-01T09:00:00',
    '2026-02-30T00:00:00Z',
    '2026-12-01 09:00:00Z',
    '1684-12-31T23:59:59Z',
    '2255-01-01T00:00:00Z',
    '9999-12-31T00:00:00Z',
    '2026-12-01T09:00:00Z'.repeat(5e4),
  ])('%# is refused', (text) => {
    const { error } = read({ starts_at: text })
    expect(Object.keys(fieldErrorsOf(error!.issues))).toEqual(['starts_at'])
  })
})

test('an end must come after the start', () => {
  expect(timeConflicts({ starts_at: 5, expires_at: 6 })).toEqual({})
  expect(timeConflicts({ starts_at: null, expires_at: 6 })).toEqual({})
  expect(Object.keys(timeConflicts({ starts_at: 5, expires_at: 5 }))).toEqual(['expires_at'])
  expect(timeConflicts({ starts_at: 5, expires_at: 5 }, { starts_at: 5 })).toEqual({
    starts_at: 'The start must be before the end.',
  })
})

test('what is set to what every link does is stored as nothing', () => {
  const defaults = {
    forward_query: false,
    forward_path: false,
    redirect_status: 302,
    archived: false,
    notes: '',
    external_id: '',
  }
  const columns = columnsOf({ ...defaults, starts_at: null, social_title: null })
  expect(shownOptions(columns)).toEqual(shownOptions({}))
  expect(columns.notes).toBeNull()
})

test('the forwarding of the query is stored as a number, and shown as it was sent', () => {
  for (const [sent, stored] of [
    [true, 1],
    ['replace', 2],
  ] as const) {
    const columns = columnsOf({ forward_query: sent })
    expect(columns.forward_query).toBe(stored)
    expect(optionViews(shownOptions(columns)).forward_query).toBe(sent)
  }
})

test('responses show what was stored', () => {
  const input = {
    starts_at: '2026-12-01T09:00:00Z',
    expires_at: null,
    fallback_url: 'https://example.com',
    forward_query: true,
    forward_path: true,
    redirect_status: 307,
    archived: true,
    notes: 'a\nb',
    external_id: '7',
  }
  expect(optionViews(shownOptions(columnsOf(input)))).toMatchObject({
    ...input,
    starts_at: '2026-12-01T09:00:00.000000Z',
    fallback_url: 'https://example.com/',
    social_title: null,
  })
})
