import { describe, expect, test } from 'bun:test'
import { sourceNamed } from './import-sources.ts'
import { pageOf } from './wizard-steps.ts'

const [csv, dub] = [sourceNamed('csv'), sourceNamed('dub')]

describe('the page of an import', () => {
  test.each([
    ['draft', null, 'connect'],
    ['checking', null, 'checking'],
    ['checked', null, 'check'],
    ['failed', null, 'check'],
    ['stopped', null, 'check'],
    ['importing', 7, 'import'],
    ['failed', 7, 'import'],
    ['stopped', 7, 'import'],
    ['done', 7, 'done'],
  ] as const)('of one that is %s, with %p links of an import, is %s', (state, import_id, page) => {
    expect(pageOf({ state, import_id, url: null }, csv, null)).toBe(page)
  })

  test('goes back to the files, and to the columns of a table', () => {
    for (const state of ['draft', 'checked', 'failed', 'stopped'] as const) {
      expect(pageOf({ state, import_id: null, url: null }, csv, 'upload')).toBe('connect')
      expect(pageOf({ state, import_id: null, url: null }, csv, 'columns')).toBe('columns')
    }
    expect(pageOf({ state: 'checked', import_id: null, url: null }, dub, 'columns')).toBe('check')
  })

  test('of one that reads an API has no files to go back to', () => {
    const url = 'https://api.dub.co'
    for (const state of ['draft', 'checked', 'failed'] as const)
      expect(pageOf({ state, import_id: null, url }, dub, 'upload')).toBe('check')
  })

  test('does not go back once links are imported', () => {
    for (const [state, page] of [
      ['importing', 'import'],
      ['stopped', 'import'],
      ['done', 'done'],
    ] as const)
      expect(pageOf({ state, import_id: 7, url: null }, csv, 'upload')).toBe(page)
  })
})
