import { describe, expect, test } from 'bun:test'
import type { LinkView } from '../../../src/http/endpoints/browser-types.ts'
import { changedFields, editInput, formOf, newForm, newLinkInput } from './link-form.ts'

describe('the form of a link', () => {
  const form = formOf(LINK)

  test('sends only what was changed, in the form of the API', () => {
    const changed = {
      ...form,
      original_url: ' example.com/new ',
      title: ' ',
      redirect_status: '301',
      forward_query: 'add' as const,
      fallback_url: 'example.com/over',
    }
    expect(changedFields(form, changed)).toEqual([
      'original_url',
      'title',
      'fallback_url',
      'forward_query',
      'redirect_status',
    ])
    expect(editInput(form, changed)).toEqual({
      original_url: 'https://example.com/new',
      title: null,
      fallback_url: 'https://example.com/over',
      forward_query: true,
      redirect_status: 301,
    })
    expect(editInput(form, form)).toEqual({})
  })

  test('has three choices for the query', () => {
    for (const [value, choice] of [
      [false, 'off'],
      [true, 'add'],
      ['replace', 'replace'],
    ] as const) {
      expect(formOf({ ...LINK, forward_query: value }).forward_query).toBe(choice)
      const other = formOf({ ...LINK, forward_query: value !== true })
      expect(editInput(other, { ...other, forward_query: choice })).toEqual({ forward_query: value })
    }
  })

  test('sends tags with the one that is still being typed, and an empty folder as none', () => {
    expect(editInput(form, { ...form, tags: ['Retail', 'Winter 2026', ' '] })).toEqual({})
    expect(editInput(form, { ...form, tags: ['Winter 2026', ' new '], folder: ' ' })).toEqual({
      tags: ['Winter 2026', 'new'],
      folder: null,
    })
  })

  test('keeps times as exact as they are, and sends them with a zone', () => {
    expect(form.expires_at).toBe('2026-12-01T08:00:30.123456Z')
    const moved = { ...form, expires_at: '2027-01-01T00:00:00.000Z' }
    expect(editInput(form, moved)).toEqual({ expires_at: '2027-01-01T00:00:00.000Z' })
    expect(editInput(form, { ...form, expires_at: '' })).toEqual({ expires_at: null })
  })

  test('of a new link sends its URL and what was filled in', () => {
    expect(newLinkInput(newForm('example.com'))).toEqual({ original_url: 'https://example.com' })
    expect(newLinkInput({ ...newForm(''), custom_code: 'a-code', notes: 'For us', archived: true })).toEqual({
      original_url: '',
      custom_code: 'a-code',
      notes: 'For us',
      archived: true,
    })
  })

  test('sends a click limit as a number, none as null, and anything else for the server to refuse', () => {
    const limit = (max_clicks: string) => editInput(form, { ...form, max_clicks })
    expect(form.max_clicks).toBe('500')
    expect(limit(' 250000 ')).toEqual({ max_clicks: 250_000 })
    expect(limit('')).toEqual({ max_clicks: null })
    expect(limit('1.5') as object).toEqual({ max_clicks: '1.5' })
  })

  test('keeps a password that it does not know, replaces it, or removes it', () => {
    expect(editInput(form, { ...form, title: 'New' })).toEqual({ title: 'New' })
    expect(editInput(form, { ...form, password: ' as typed ' })).toEqual({ password: ' as typed ' })
    expect(editInput(form, { ...form, password: null })).toEqual({ password: null })
  })

  test('sends aliases as a list', () => {
    expect(form.aliases).toBe('schnee w26')
    expect(editInput(form, { ...form, aliases: ' schnee  w,27 ' })).toEqual({ aliases: ['schnee', 'w,27'] })
    expect(editInput(form, { ...form, aliases: '' })).toEqual({ aliases: [] })
  })

  test('sends rules if one of them was changed, and null without any', () => {
    const [rule] = form.rules
    expect(changedFields(form, { ...form, rules: [{ ...rule! }] })).toEqual([])
    const rules = [{ ...rule!, to: 'example.com/new' }]
    expect(editInput(form, { ...form, rules })).toEqual({
      rules: [{ when: { os: ['iOS'] }, to: 'https://example.com/new' }],
    })
    expect(editInput(form, { ...form, rules: [] })).toEqual({ rules: null })
  })

  test('turns a fallback without a URL into an error of the server, not into none', () => {
    expect(editInput(form, { ...form, fallback_url: '' })).toEqual({ fallback_url: '' })
  })
})

const LINK = {
  original_url: 'https://example.com/',
  short_code: 'winter',
  title: 'Winter',
  tags: ['Retail', 'Winter 2026'],
  folder: 'Campaigns',
  starts_at: null,
  expires_at: '2026-12-01T08:00:30.123456Z',
  max_clicks: 500,
  fallback_url: null,
  forward_query: false,
  forward_path: false,
  redirect_status: 302,
  social_title: null,
  social_description: null,
  social_image_url: null,
  archived: false,
  notes: null,
  external_id: null,
  qr_style: null,
  has_password: true,
  rules: [{ when: { os: ['iOS'] }, to: 'https://example.com/app' }],
  aliases: ['schnee', 'w26'],
} as LinkView
