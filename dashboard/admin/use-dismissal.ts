import type { ReportedLinkView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { UNDO_MS } from '../components/toasts.tsx'
import { withoutScheme } from '../format.ts'
import { reportStrings } from '../strings/report-strings.ts'
import { useOperatorAction, useRefusalToast } from './operator-queries.ts'

/** Closes the reports about a link at once, with undo: nothing happens to the link. */
export function useDismissal(): (link: ReportedLinkView) => void {
  const onError = useRefusalToast()
  const undo = useOperatorAction(
    ({ link_id: id }: ReportedLinkView) => ask('POST /admin/reports/{id}/reopen', { path: { id } }),
    ({ short_url: url }) => reportStrings.reopened(withoutScheme(url)),
  )
  const dismissal = useOperatorAction(
    ({ link_id: id }: ReportedLinkView) =>
      ask('POST /admin/reports/{id}/close', { path: { id }, input: { action: 'dismiss' } }),
    (link) => ({
      text: reportStrings.done.dismiss(withoutScheme(link.short_url)),
      shownMs: UNDO_MS,
      onUndo: () => undo.mutate(link, { onError }),
    }),
  )
  return (link) => {
    if (!dismissal.isPending) dismissal.mutate(link, { onError })
  }
}
