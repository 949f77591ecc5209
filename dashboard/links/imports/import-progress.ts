import type { ImportJobView } from '../../../src/http/endpoints/browser-types.ts'

/** From 0 to 100; undefined while it is not known how many links there are. */
export const percentDone = ({ links, of }: ImportJobView['progress']): number | undefined =>
  of === null || of === 0 ? undefined : Math.min(100, Math.floor((links / of) * 100))

/** How many links an import has created or changed. */
export const importedLinks = ({ created, kept, replaced }: NonNullable<ImportJobView['results']>): number =>
  created + kept + replaced
