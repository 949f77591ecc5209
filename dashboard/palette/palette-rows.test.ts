import { describe, expect, test } from 'bun:test'
import {
  matchingRows,
  type PaletteContent,
  paletteGroups,
  type PaletteRow,
  searchedText,
} from './palette-rows.ts'

const rows = (...labels: string[]) => labels.map((label) => row(label))

describe('rows', () => {
  test('have all the words, in any order and case, whatever the accents', () => {
    expect(matching('KEY new', 'New API key', 'API keys')).toEqual(['New API key'])
    expect(matching('ubersicht', 'Übersicht', 'Overview')).toEqual(['Übersicht'])
    expect(matching('  ', 'One', 'Two')).toEqual(['One', 'Two'])
    expect(matching('one two three', 'One two')).toEqual([])
  })

  test('that begin with the text come first, then those with a word that does', () => {
    expect(matching('link', 'Unlink all', 'Create link', 'Links')).toEqual([
      'Links',
      'Create link',
      'Unlink all',
    ])
  })

  test('are found by other words too', () => {
    const tag = row('Tag: Winter', 'tag', 'Winter')
    const page = row('Wintry winter')
    expect(matchingRows([tag, page], 'winter')).toEqual([tag, page])
    expect(matchingRows([tag], 'tag')).toEqual([tag])
  })
})

describe('groups', () => {
  test('are the last links and five actions before anything is typed', () => {
    expect(shown({})).toEqual([
      ['recent', 'winter', 'insta'],
      ['actions', 'Create link', 'Bulk create', 'New API key', 'Sign out', 'Use the dark theme'],
    ])
    expect(shown({ recent: [] }).map(([name]) => name)).toEqual(['actions'])
  })

  test('are links, places and actions, in this order; those without a row are left out', () => {
    const links = rows('nls.example/winter', 'See all')
    expect(shown({ text: 'winter', links })).toEqual([
      ['links', 'nls.example/winter', 'See all'],
      ['places', 'Tag: Winter 2026'],
    ])
    expect(shown({ text: 'api', links: [] })).toEqual([
      ['places', 'API keys'],
      ['actions', 'New API key'],
    ])
    expect(shown({ text: 'zzz' })).toEqual([])
  })

  test('begin with what is made of a URL, and end with what is made of a code, once', () => {
    const create = row('Create link to https://a.example', 'create-to')
    const withCode = [row('Create link with the code “create”', 'create-with'), row('Bulk create')]
    expect(shown({ text: 'a.example', createTo: create, links: rows('winter') })).toEqual([
      ['create', create.label],
      ['links', 'winter'],
    ])
    expect(shown({ text: 'create', createWith: withCode })).toEqual([
      ['actions', 'Create link', 'Bulk create', 'Create link with the code “create”'],
    ])
  })

  test('are all actions alone after >', () => {
    const recent = rows('winter')
    expect(shown({ text: '>', recent })).toEqual([['actions', ...CONTENT.actions.map(({ label }) => label)]])
    expect(shown({ text: '> api' })).toEqual([['actions', 'New API key']])
    expect([searchedText('> api'), searchedText('  api ')]).toEqual(['', 'api'])
  })
})

const CONTENT: PaletteContent = {
  text: '',
  links: [],
  recent: rows('winter', 'insta'),
  places: [...rows('Links', 'API keys', 'Trash'), row('Tag: Winter 2026', 'tag 1', 'Winter 2026')],
  actions: rows(
    'Create link',
    'Bulk create',
    'New API key',
    'Sign out',
    'Use the dark theme',
    'Invite someone',
  ),
  createTo: undefined,
  createWith: [],
}

function row(label: string, id = label, also?: string): PaletteRow {
  return {
    id,
    label,
    ...(also === undefined ? {} : { also }),
    run() {},
  }
}

const shown = (content: Partial<PaletteContent>) =>
  paletteGroups({ ...CONTENT, ...content }).map(({ name, rows: all }) => [
    name,
    ...all.map(({ label }) => label),
  ])
const matching = (text: string, ...labels: string[]) =>
  matchingRows(rows(...labels), text).map(({ label }) => label)
