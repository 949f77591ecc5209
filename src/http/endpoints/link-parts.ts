import { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/caller.ts'
import { importedTotals, lastClicksUs } from '../../analytics/click-totals.ts'
import { SPARKLINE_DAYS, sparklines } from '../../analytics/sparklines.ts'
import type { Link } from '../../links/link.ts'
import { linkCreators } from '../../links/lists/link-creators.ts'
import { isoOrNull } from '../../runtime/clock.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { linkSchema, type LinkView, linkView } from './link-view.ts'
import { timestamp } from './schemas.ts'

const parts = {
  opened: z.int().min(0).openapi({ description: 'How many of its `max_clicks` are used.', example: 0 }),
  version: z.int().min(1).openapi({ description: 'Its latest version.', example: 1 }),
  last_clicked_at: timestamp().nullable().openapi({ description: 'null before the first click.' }),
  imported_click_count: z.int().min(0).openapi({
    description: 'Clicks that another program had counted when the link was imported; not in `click_count`.',
    example: 0,
  }),
  sparkline: z
    .array(z.int().min(0))
    .openapi({ description: `Clicks of the last ${SPARKLINE_DAYS} UTC days, today last.`, example: [0, 3] }),
  created_by: z
    .strictObject({ id: z.int().min(1), name: z.string() })
    .nullable()
    .openapi({ description: 'null if that account is gone.', example: { id: 1, name: 'Ada Lovelace' } }),
}

export type LinkPart = keyof typeof parts
/** What links in responses have only if `include` names it. */
export const LINK_PARTS = Object.keys(parts) as [LinkPart, ...LinkPart[]]

/** One flat object: joined with allOf, two closed ones would each forbid the fields of the other. */
export const linkWithParts = z
  .strictObject({ ...linkSchema.shape, ...z.object(parts).partial().shape })
  .openapi('LinkWithParts')
export type LinkParts = z.infer<z.ZodObject<typeof parts>>

type ViewDeps = Pick<ServerDeps, 'domains' | 'clock' | 'destinationRules' | 'readDb' | 'clickQueries'>

/** Reads only what is included. */
export async function linkViewsWithParts(
  deps: ViewDeps,
  links: readonly Link[],
  { caller, include }: { caller: Pick<Caller, 'workspaceId'>; include: readonly string[] },
): Promise<(LinkView & Partial<LinkParts>)[]> {
  const { readDb: db } = deps
  const ids = links.map(({ id }) => id)
  const lines = include.includes('sparkline')
    ? await sparklines(deps, { ...caller, linkIds: ids })
    : undefined
  const lastClicks = include.includes('last_clicked_at') ? await lastClicksUs(db, ids) : undefined
  const creators = include.includes('created_by') ? await linkCreators(db, ids) : undefined
  const imported = include.includes('imported_click_count') ? await importedTotals(db, ids) : undefined
  const hasVersion = include.includes('version')
  const hasOpened = include.includes('opened')
  return links.map((link) => ({
    ...linkView(deps, link),
    ...(hasOpened && { opened: link.opened }),
    ...(hasVersion && { version: link.version }),
    ...(lastClicks && { last_clicked_at: isoOrNull(lastClicks.get(link.id) ?? null) }),
    ...(imported && { imported_click_count: imported.get(link.id) ?? 0 }),
    ...(lines && { sparkline: lines.get(link.id)! }),
    ...(creators && { created_by: creators.get(link.id) ?? null }),
  }))
}
