import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/**
 * What is loaded later than the list. The bundler makes a file for every combination of chunks
 * that shares a module, and each file costs a visitor on a slow line a round trip: few chunks are faster than small ones.
 */
export const chunks = {
  afterPaint: () => import('./after-paint.ts'),
  editing: () => import('./editing.ts'),
  management: () => import('./management.ts'),
  reports: () => import('./reports.ts'),
  searching: () => import('./searching.ts'),
  signingIn: () => import('./signing-in.ts'),
}

// oxlint-disable-next-line no-explicit-any -- The properties of a component are those of the component that is loaded.
type AnyComponent = ComponentType<any>

/** A component that is loaded with its chunk when it is first shown. */
export const lazyFrom = <Chunk, Name extends keyof Chunk>(
  load: () => Promise<Chunk>,
  name: Name,
): LazyExoticComponent<Extract<Chunk[Name], AnyComponent>> =>
  lazy(async () => ({ default: (await load())[name] as Extract<Chunk[Name], AnyComponent> }))
