import type { FirstPaintName } from './first-paint.tsx'

/** Which first paint the page was served with; undefined in a page without one. */
export const FIRST_PAINT = document.getElementById('root')?.dataset['firstPaint'] as
  FirstPaintName | undefined
