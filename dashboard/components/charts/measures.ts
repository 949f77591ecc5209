import type { Counts } from '../../../src/http/endpoints/browser-types.ts'

/** What of clicks a chart can draw. */
export const MEASURES = ['clicks', 'unique_visitors', 'qr_scans', 'bots'] as const satisfies (keyof Counts)[]
export type Measure = (typeof MEASURES)[number]
