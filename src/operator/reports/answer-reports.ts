import { validated } from '../../errors/field-errors.ts'
import { choice } from '../../validation/field-rules.ts'
import { z } from 'zod'
import { type Actor, type Caller, operatorIn } from '../../access/caller.ts'
import { Refusal } from '../../errors/refusal.ts'
import { blockHost, type BlockHostDeps, newBlockedHost } from '../../links/destinations/block-host.ts'
import type { DestinationRules } from '../../links/destinations/destination.ts'
import { editLink } from '../../links/edit-link.ts'
import type { ChangeLinksDeps } from '../../links/change-links.ts'
import type { LinkChanges } from '../../links/link.ts'
import { suspendWorkspace } from '../suspend-workspace.ts'
import { closeReports, openReportOf } from './close-reports.ts'

/** What an operator does about a reported link. Each closes its reports. */
export const reportAnswer = z.object({
  action: choice(['dismiss', 'block_host', 'disable_link', 'suspend_workspace']),
})
export type ReportAction = z.output<typeof reportAnswer>['action']

export type AnswerReportsDeps = BlockHostDeps & {
  changes: LinkChanges
  codeLog: ChangeLinksDeps['codeLog']
  destinationRules: DestinationRules
}

/** Returns how many reports it has closed. The reports stay open if the action is refused. */
export async function answerReports(
  deps: AnswerReportsDeps,
  by: Actor,
  { linkId, action }: { linkId: number; action: ReportAction },
): Promise<number> {
  const { workspaceId, reportedUrl } = await openReportOf(deps.db, linkId)
  if (action === 'block_host')
    await blockHost(deps, validated(newBlockedHost, { host: reportedUrl, reason: 'Reported by visitors' }))
  if (action === 'disable_link') await disableLink(deps, operatorIn(workspaceId, by), linkId)
  if (action === 'suspend_workspace') await suspendWorkspace(deps, by, workspaceId)
  return closeReports(deps, by, linkId)
}

/** As an edit, so that the link's history says who has disabled it. */
async function disableLink(deps: AnswerReportsDeps, operator: Caller, linkId: number): Promise<void> {
  const link = await deps.db
    .selectFrom('links')
    .select(['code', 'domain_id as domainId'])
    .where('id', '=', linkId)
    .executeTakeFirst()
  if (link === undefined) throw new Refusal('link_not_found', 'This link has been deleted.')
  await editLink(deps, operator, { key: link, edit: { is_active: false } })
}
