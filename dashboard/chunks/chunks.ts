import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/**
 * What is loaded later than the list. The bundler makes a file for every combination of chunks
 * that shares a module, and each file costs a visitor on a slow line a round trip: few chunks are faster than small ones.
 */
export const load = {
  afterPaint: () => import('./after-paint.ts'),
  editing: () => import('./editing.ts'),
  management: () => import('./management.ts'),
  reports: () => import('./reports.ts'),
  searching: () => import('./searching.ts'),
  signingIn: () => import('./signing-in.ts'),
}

// oxlint-disable-next-line no-explicit-any -- The properties of a component are those of the component that is loaded.
type AnyComponent = ComponentType<any>
type LazyParts<Chunk> = { [Name in keyof Chunk]: LazyExoticComponent<Extract<Chunk[Name], AnyComponent>> }

/** The components of a chunk, which is loaded when the first of them is shown. */
const partsOf = <Chunk>(loadChunk: () => Promise<Chunk>): LazyParts<Chunk> =>
  new Proxy({} as Record<PropertyKey, unknown>, {
    // Made once: React would mount a second one again.
    get: (parts, name) =>
      (parts[name] ??= lazy(async () => ({
        default: (await loadChunk())[name as keyof Chunk] as AnyComponent,
      }))),
  }) as LazyParts<Chunk>

export const afterPaint = partsOf(load.afterPaint)
export const editing = partsOf(load.editing)
export const management = partsOf(load.management)
export const reports = partsOf(load.reports)
export const searching = partsOf(load.searching)
export const signingIn = partsOf(load.signingIn)
