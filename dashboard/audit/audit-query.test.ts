import { expect, test } from 'bun:test'
import { NO_FILTERS, readFilters, requestOf, writeFilters } from './audit-query.ts'

const SET = {
  search: 'a b',
  who: ['user 3', 'key 7'],
  actions: ['link.created', 'tag.merged'],
  clients: ['api'],
  from: '2026-11-01',
  to: '2026-11-30',
}

test('what the URL says is read as it was written, and what it cannot say is left out', () => {
  expect(readFilters(writeFilters(SET))).toEqual(SET)
  expect(String(writeFilters(NO_FILTERS))).toBe('')
  expect(readFilters(new URLSearchParams('who=cat+1&who=user+0&from=2026-13-01&to=soon'))).toEqual(NO_FILTERS)
})

test('days are whole days where the browser is', () => {
  expect(requestOf(NO_FILTERS)).toEqual({})
  expect(requestOf(SET)).toEqual({
    search: 'a b',
    user: [3],
    key: [7],
    action: ['link.created', 'tag.merged'],
    client: ['api'],
    from: new Date(2026, 10, 1).toISOString(),
    to: new Date(2026, 11, 1).toISOString(),
  })
})
