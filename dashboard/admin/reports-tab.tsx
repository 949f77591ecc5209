import { ShieldCheck } from 'lucide-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReportAction, ReportedLinkView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { Empty, Failed } from '../components/states.tsx'
import { Segments } from '../components/tabs.tsx'
import { exactTime, hostOf, relativeTime, shortUrlText } from '../format.ts'
import { adminStrings, reportStrings } from './admin-strings.ts'
import { useAnswer } from '../api/use-data.ts'
import { ConfirmAction, useOperatorAction } from './confirm-action.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

const STATES = ['open', 'closed'] as const
type State = (typeof STATES)[number]
type AskedAction = Exclude<ReportAction, 'dismiss'>
type PendingAction = { action: AskedAction; link: ReportedLinkView }

export function ReportsTab() {
  const [state, setState] = useState<State>('open')
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<PendingAction>()
  const reports = useAnswer(
    'GET /admin/reports',
    { query: { state, page } },
    { placeholderData: keepPreviousData },
  )
  const dismiss = useDismissal()
  const act = (action: ReportAction, link: ReportedLinkView) =>
    action === 'dismiss' ? dismiss(link) : setAsked({ action, link })
  const show = (next: State) => {
    setState(next)
    setPage(1)
  }
  return (
    <>
      <div className="actions">
        <Segments
          label={reportStrings.show}
          choices={STATES.map((value) => ({ value, label: reportStrings.states[value] }))}
          value={state}
          onChoice={show}
        />
      </div>
      {reports.error !== null && reports.data === undefined && (
        <div className="card">
          <Failed what={adminStrings.tabs.reports} query={reports} />
        </div>
      )}
      {reports.data?.data.length === 0 && (
        <div className="card">
          <Empty
            icon={ShieldCheck}
            title={reportStrings.emptyTitle[state]}
            text={reportStrings.empty[state]}
          />
        </div>
      )}
      {reports.data?.data.map((link) => (
        <ReportedLink
          key={link.link_id}
          link={link}
          onAct={state === 'open' ? (action) => act(action, link) : undefined}
        />
      ))}
      {reports.data && <PageButtons label={reportStrings.pages} meta={reports.data.meta} onPage={setPage} />}
      {asked && <AnswerQuestion {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

type ReportedLinkProps = {
  link: ReportedLinkView
  /** Undefined for closed reports. */
  onAct: ((action: ReportAction) => void) | undefined
}

/** What visitors say is text, and no link of theirs can be clicked here. */
function ReportedLink({ link, onAct }: ReportedLinkProps) {
  const name = shortUrlText(link.short_url)
  return (
    <section className="card" aria-label={name}>
      <div className="card-head">
        <h2 className="reported-name">{name}</h2>
        <span className="badges">
          <Badge tone="warn">{reportStrings.count(link.count)}</Badge>
          {link.current === null && <Badge>{reportStrings.deleted}</Badge>}
          {link.current?.is_active === false && <Badge>{reportStrings.disabled}</Badge>}
          {link.workspace?.is_suspended && <Badge tone="bad">{reportStrings.suspended}</Badge>}
        </span>
      </div>
      <div className="card-body stack">
        <LinkFacts link={link} />
        <ReportList link={link} />
        {onAct && (
          <div className="actions">
            {actionsOf(link).map((action) => (
              <Button
                key={action}
                size="small"
                aria-label={`${reportStrings.actions[action]}: ${name}`}
                onClick={() => onAct(action)}
              >
                {reportStrings.actions[action]}
              </Button>
            ))}
          </div>
        )}
      </div>
    </section>
  )
}

const actionsOf = ({ current, workspace }: ReportedLinkView): ReportAction[] => [
  'block_host',
  ...(current?.is_active ? (['disable_link'] as const) : []),
  ...(workspace && !workspace.is_suspended ? (['suspend_workspace'] as const) : []),
  'dismiss',
]

function LinkFacts({ link: { reported_url: reported, current, workspace } }: { link: ReportedLinkView }) {
  const hasMoved = current !== null && current.original_url !== reported
  return (
    <dl className="facts is-left">
      <div>
        <dt>{reportStrings.destination}</dt>
        <dd dir="ltr">{reported}</dd>
      </div>
      {hasMoved && (
        <div>
          <dt>{reportStrings.now}</dt>
          <dd dir="ltr">{current.original_url}</dd>
        </div>
      )}
      <div>
        <dt>{reportStrings.workspace}</dt>
        <dd>
          {workspace === null
            ? reportStrings.nobody
            : [workspace.name, workspace.owner].filter((part) => part !== null).join(' · ')}
        </dd>
      </div>
    </dl>
  )
}

const ReportList = ({ link: { count, reports } }: { link: ReportedLinkView }) => (
  <ul className="report-list">
    {reports.map((report) => (
      <li key={report.id}>
        <p>
          <strong>{reportStrings.reasons[report.reason]}</strong>{' '}
          <span className="soft" title={exactTime(report.reported_at)}>
            {relativeTime(report.reported_at)}
            {report.closed_at !== null &&
              ` · ${reportStrings.closed(relativeTime(report.closed_at), report.closed_by)}`}
          </span>
        </p>
        {report.message !== '' && (
          <p className="report-message">
            <bdi>{report.message}</bdi>
          </p>
        )}
      </li>
    ))}
    {count > reports.length && <li className="soft">{reportStrings.more(count - reports.length)}</li>}
  </ul>
)

function AnswerQuestion({ action, link, onClose }: PendingAction & { onClose: () => void }) {
  const name = shortUrlText(link.short_url)
  const subject = {
    disable_link: name,
    block_host: hostOf(link.reported_url),
    suspend_workspace: link.workspace?.name ?? '',
  }[action]
  return (
    <ConfirmAction
      title={reportStrings.ask[action](subject)}
      text={reportStrings.askText[action]}
      action={reportStrings.actions[action]}
      said={reportStrings.done[action](subject)}
      run={() => ask('POST /admin/reports/{id}/close', { path: { id: link.link_id }, input: { action } })}
      onClose={onClose}
    />
  )
}

/** Closes the reports about a link at once, with undo: nothing happens to the link. */
function useDismissal(): (link: ReportedLinkView) => void {
  const onError = useErrorToast()
  const undo = useOperatorAction(
    ({ link_id: id }: ReportedLinkView) => ask('POST /admin/reports/{id}/reopen', { path: { id } }),
    { said: (_, { short_url: url }) => reportStrings.reopened(shortUrlText(url)), onError },
  )
  const dismissal = useOperatorAction(
    ({ link_id: id }: ReportedLinkView) =>
      ask('POST /admin/reports/{id}/close', { path: { id }, input: { action: 'dismiss' } }),
    {
      said: (_, link) => ({
        text: reportStrings.done.dismiss(shortUrlText(link.short_url)),
        onUndo: () => undo.mutate(link),
      }),
      onError,
    },
  )
  return (link) => {
    if (!dismissal.isPending) dismissal.mutate(link)
  }
}
