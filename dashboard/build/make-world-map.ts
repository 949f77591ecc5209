import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { geoNaturalEarth1, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json'
import { alpha2Of } from './country-numbers.ts'

// One decimal is a fifth of a pixel at the displayed width.
const WIDTH = 480
const HEIGHT = 235
/** Antarctica would take a fifth of the map. */
const LEFT_OUT = '010'

/** Country code and outline. The code is '' for territories without one. */
export type WorldMap = { width: number; height: number; countries: [code: string, path: string][] }

/** Projected here, so that the browser only draws paths. */
export function worldMap(): WorldMap {
  const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>
  const { features } = feature(topology, topology.objects.countries)
  const drawnCountries = features.filter(({ id }) => id !== LEFT_OUT)
  const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], {
    type: 'FeatureCollection',
    features: drawnCountries,
  })
  const path = geoPath(projection).digits(1)
  const countries = drawnCountries.map(({ id, geometry }): [string, string] => [
    alpha2Of(String(id ?? '')),
    path(geometry) ?? '',
  ])
  return { width: WIDTH, height: HEIGHT, countries }
}

if (import.meta.main) {
  const target = join(import.meta.dir, '..', 'components', 'charts', 'world-map.json')
  await writeFile(target, JSON.stringify(worldMap()) + '\n')
}
