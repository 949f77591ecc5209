import { type RawBuilder, sql } from 'kysely'
import type { LinkCounts } from './count-links.ts'

/** Whether a list leaves archived links out, has only them, or has both. */
export const ARCHIVED = ['exclude', 'only', 'include'] as const
export type Archived = (typeof ARCHIVED)[number]

/** Without archived links, leaving them out is no condition: the list is read as quickly as one of all links. */
export const neededArchived = (archived: Archived, counts: LinkCounts): Archived =>
  archived === 'exclude' && counts.archived === 0 ? 'include' : archived

/** For queries that read `links`; unless all are to be read. */
export const archivedCondition = (archived: Archived): RawBuilder<boolean> =>
  archived === 'only' ? sql<boolean>`links.is_archived = 1` : sql<boolean>`links.is_archived IS NULL`

/** How many links a list has. */
export const listedCount = (archived: Archived, counts: LinkCounts): number =>
  ({ include: counts.links, only: counts.archived, exclude: counts.links - counts.archived })[archived]
