import { Import, Link2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { ImportView } from '../../../src/http/endpoints/browser-types.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/copy.tsx'
import { PageButtons } from '../../components/page-buttons.tsx'
import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Empty } from '../../components/states.tsx'
import { type Column, ListCard } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { fullNumber, shortDate } from '../../format.ts'
import { nowMs } from '../../now.ts'
import { useCan } from '../../use-session.ts'
import { useImports, useUndoneNews } from './import-queries.ts'
import { importStrings as texts } from './import-strings.ts'
import './imports.css'
import { ImportButton, OpenJobs } from './open-jobs.tsx'
import { UndoDialog } from './undo-dialog.tsx'

export default function ImportsPage() {
  const [parameters, setParameters] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(parameters.get('page'))) || 1)
  const imports = useImports(page)
  useUndoneNews(imports.data?.data)
  const [undone, setUndone] = useState<ImportView>()
  const canWrite = useCan('links:write')
  const [, navigate] = useLocation()
  const columns = importColumns({
    canWrite,
    onShow: ({ id }) => navigate(`/?import_id=${id}`),
    onUndo: setUndone,
  })
  return (
    <Page title={texts.title} lead={texts.lead} action={canWrite && <ImportButton />}>
      {canWrite && <OpenJobs />}
      <ListCard
        query={imports}
        empty={<NoImports />}
        caption={texts.title}
        columns={columns}
        rows={imports.data?.data}
        keyOf={({ id }) => id}
        skeletonRows={3}
      >
        {imports.data && (
          <PageButtons
            label={texts.pages}
            meta={imports.data.meta}
            onPage={(next) => setParameters({ page: String(next) })}
          />
        )}
      </ListCard>
      {undone && <UndoDialog {...undone} onClose={() => setUndone(undefined)} />}
    </Page>
  )
}

const COMMAND = `export TERN_API_KEY=… BASE_URL=${location.origin}
tern import csv --file links.csv --dry-run`

const NoImports = () => (
  <Empty icon={Import} title={texts.emptyTitle} text={texts.empty}>
    <div className="no-imports">
      <CodeBlock text={COMMAND} label={texts.command} />
    </div>
  </Empty>
)

type ImportActions = {
  canWrite: boolean
  onShow: (record: ImportView) => void
  onUndo: (record: ImportView) => void
}

const importColumns = (actions: ImportActions): Column<ImportView>[] => [
  {
    id: 'source',
    head: texts.columns.source,
    cell: ({ title, actor }) => (
      <span className="import-source">
        <strong className="cut">{title}</strong>
        <span className="soft cut">{texts.by(actor)}</span>
      </span>
    ),
    skeleton: <Skeleton width={140} height={32} />,
  },
  { id: 'begun', head: texts.columns.begun, cell: ({ created_at: at }) => <Time at={at} /> },
  { id: 'links', head: texts.columns.links, cell: ({ counts }) => resultsText(counts) },
  { id: 'state', head: texts.columns.state, cell: (record) => <ImportState record={record} /> },
  {
    id: 'act',
    head: texts.columns.menu,
    isHeadHidden: true,
    isNumber: true,
    cell: (record) => <ImportTools record={record} {...actions} />,
    skeleton: <Skeleton width={130} height={30} />,
  },
]

const RESULTS = Object.keys(texts.results) as (keyof ImportView['counts'])[]

/** `182 created, 3 equal`: those that there are. */
function resultsText(counts: ImportView['counts']): string {
  const parts = RESULTS.flatMap((result) =>
    counts[result] === 0 ? [] : [`${fullNumber(counts[result])} ${texts.results[result]}`],
  )
  return parts.join(', ') || texts.noLinks
}

const isUndoable = ({ undo, undoable_until: until }: ImportView) =>
  undo === null && Date.parse(until) > nowMs()

function ImportState({ record }: { record: ImportView }) {
  const { state } = record
  return (
    <span className="import-state">
      {state === 'open' && <Badge title={texts.openHint}>{texts.states.open}</Badge>}
      {state === 'undoing' && <Badge tone="data">{texts.states.undoing}</Badge>}
      {state === 'undone' && <Badge>{texts.states.undone}</Badge>}
      <span className="soft">{noteOf(record)}</span>
    </span>
  )
}

function noteOf(record: ImportView): string {
  const { undo, counts, undoable_until: until } = record
  if (undo !== null) return texts.trashed(fullNumber(undo.trashed), undo.spared)
  if (counts.created === 0) return ''
  return isUndoable(record) ? texts.undoUntil(shortDate(until)) : texts.over
}

function ImportTools({ record, canWrite, onShow, onUndo }: ImportActions & { record: ImportView }) {
  const { title, counts, state } = record
  if (counts.created === 0) return null
  return (
    <span className="import-tools">
      {state !== 'undone' && (
        <Button icon={Link2} size="small" aria-label={texts.showOf(title)} onClick={() => onShow(record)}>
          {texts.show}
        </Button>
      )}
      {canWrite && isUndoable(record) && (
        <Button icon={Undo2} size="small" aria-label={texts.undoOf(title)} onClick={() => onUndo(record)}>
          {texts.undo}
        </Button>
      )}
    </span>
  )
}
