import { expect, test } from 'bun:test'
import { routeFacts } from '../../test/rigs/route-facts.ts'
import { ROUTE_OPTION_COLUMNS, type RouteOptionColumns, routeOptions } from '../links/routes/route-options.ts'
import { extrasOf } from './extras-of.ts'

const NO_OPTIONS = Object.fromEntries(ROUTE_OPTION_COLUMNS.map((name) => [name, null])) as RouteOptionColumns
const rules = (when: object) => JSON.stringify([{ when, to: 'https://example.com/' }])
const facts = routeFacts({ query: 'a=1', languages: () => ['pt-br', 'de'] })
const extras = (columns: Partial<RouteOptionColumns>, variant = '') =>
  extrasOf(
    routeOptions({ ...NO_OPTIONS, ...columns })!,
    { destination: 'https://example.com/', status: 302, variant },
    facts,
  )

test('a click keeps its variant, the query that is passed on, and the language that a rule asks for', () => {
  const none = { variant: '', via: 'link', language: '', query: '' } as const
  expect(extras({ redirect_status: 301 })).toBeUndefined()
  expect(extras({ rules: rules({ country: ['DE'] }) })).toBeUndefined()
  expect(extras({ rules: rules({ country: ['DE'] }) }, 'rule 1')).toEqual({ ...none, variant: 'rule 1' })
  expect(extras({ rules: rules({ language: ['fr'] }) })).toEqual({ ...none, language: 'pt' })
  expect(extras({ forward_query: 1 })).toEqual({ ...none, query: 'a=1' })
})
