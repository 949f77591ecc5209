import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { worldMap } from './make-world-map.ts'

const kept = await Bun.file(join(import.meta.dir, '..', 'components', 'charts', 'world-map.json')).json()

test('the outlines that are kept are those that the script makes', () => {
  expect(worldMap() as unknown).toEqual(kept)
})

test('every land is drawn, and all but three are known by their code', () => {
  const { countries } = worldMap()
  expect(countries.length).toBe(176)
  expect(countries.filter(([code]) => code === '').length).toBe(3)
  expect(countries.every(([, path]) => /^M[-\d.,MLZ]+Z$/.test(path))).toBe(true)
  for (const code of ['DE', 'US', 'CI', 'RS', 'SS', 'TW'])
    expect(countries.map(([each]) => each)).toContain(code)
})
