import { expect, test } from 'bun:test'
import { SOURCES } from '../../../../src/import/sources/all-sources.ts'
import { IMPORT_SOURCES } from './import-sources.ts'

test('the wizard offers every source of imports, with a key, a URL and a choice of clicks where it needs them', () => {
  const offered = IMPORT_SOURCES.map(({ name, key, url, clicks }) => ({
    name,
    hasKey: key !== undefined,
    needsUrl: url !== undefined,
    clicks,
  }))
  const sources = Object.entries(SOURCES).map(([name, { network }]) => ({
    name,
    hasKey: network !== undefined,
    needsUrl: network !== undefined && network.api.defaultUrl === undefined,
    clicks:
      network?.api.clicks &&
      (network.api.defaultUrl === undefined ? ('history' as const) : ('totals' as const)),
  }))
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
  expect(offered.toSorted(byName)).toEqual(sources.toSorted(byName))
})
