import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** `parts`: what it has, from when it is loaded. */
type Chunk<Parts> = { (): Promise<Parts>; parts?: Parts }

/**
 * What is loaded later than the list. The bundler makes a file for every combination of chunks
 * that shares a module, and each file costs a visitor on a slow line a round trip: few chunks are faster than small ones.
 * Chunks of signed-in users import `after-paint`, which is loaded on each of their pages: so what it shares with any of them is one file.
 */
export const load = {
  afterPaint: chunk(() => import('./after-paint.ts')),
  editing: chunk(() => import('./editing.ts')),
  management: chunk(() => import('./management.ts')),
  map: chunk(() => import('../components/charts/world-map.tsx')),
  reports: chunk(() => import('./reports.ts')),
  searching: chunk(() => import('./searching.ts')),
  signingIn: chunk(() => import('./signing-in.ts')),
}

function chunk<Parts>(importParts: () => Promise<Parts>): Chunk<Parts> {
  const loadParts: Chunk<Parts> = async () => (loadParts.parts = await importParts())
  return loadParts
}

// oxlint-disable-next-line no-explicit-any -- The properties of a component are those of the component that is loaded.
type AnyComponent = ComponentType<any>
type LazyParts<Parts> = { [Name in keyof Parts]: LazyExoticComponent<Extract<Parts[Name], AnyComponent>> }

/** The components of a chunk, which is loaded when the first of them is shown. */
const partsOf = <Parts>(loadChunk: Chunk<Parts>): LazyParts<Parts> =>
  new Proxy({} as Record<PropertyKey, unknown>, {
    // Made once: React would mount a second one again.
    get: (lazyParts, name) =>
      (lazyParts[name] ??= lazy(() => {
        const partOf = (parts: Parts) => ({ default: parts[name as keyof Parts] as AnyComponent })
        return loadChunk.parts ? atOnce(partOf(loadChunk.parts)) : loadChunk().then(partOf)
      })),
  }) as LazyParts<Parts>

/** React renders this without a fallback, whose replacement it would hold back for up to 300 ms. */
const atOnce = <Value>(value: Value) =>
  ({ then: (take: (value: Value) => void) => take(value) }) as Promise<Value>

export const afterPaint = partsOf(load.afterPaint)
export const editing = partsOf(load.editing)
export const management = partsOf(load.management)
export const map = partsOf(load.map)
export const reports = partsOf(load.reports)
export const searching = partsOf(load.searching)
export const signingIn = partsOf(load.signingIn)
