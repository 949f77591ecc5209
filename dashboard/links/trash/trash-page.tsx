import { Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { DeletedLink } from '../../../src/http/endpoints/browser-types.ts'
import { LinkCell, ShortUrl } from '../link-name.tsx'
import { Button, IconButton } from '../../components/button.tsx'
import { Question } from '../../components/dialogs/dialog.tsx'
import { PageButtons } from '../../components/page-buttons.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Empty } from '../../components/states.tsx'
import { type Column, ListCard } from '../../components/table.tsx'
import { trashStrings, useTrash, useTrashRestoration } from './in-trash.tsx'
import { nowMs } from '../../now.ts'
import { useCan, useSignedIn } from '../../use-session.ts'
import { strings } from '../../strings.ts'
import '../../components/charts/data.css'
import { Page } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { useChange } from '../../api/use-change.ts'
import { useListRefresh } from '../link-queries.ts'
import { ask } from '../../api/api-client.ts'

export default function TrashPage() {
  const [parameters, setParameters] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(parameters.get('page'))) || 1)
  const trash = useTrash(page)
  const { trash_days: trashDays } = useSignedIn().instance
  const [doomed, setDoomed] = useState<DeletedLink>()
  const restoration = useTrashRestoration()
  const canWrite = useCan('links:write')
  const rows = trash.data?.data
  return (
    <Page title={trashStrings.title} lead={trashStrings.lead}>
      <ListCard
        query={trash}
        empty={<Empty icon={Trash2} title={trashStrings.emptyTitle} text={trashStrings.empty(trashDays)} />}
        caption={trashStrings.title}
        columns={trashColumns({
          trashDays,
          canWrite,
          onRestore: restoration.mutate,
          onDelete: setDoomed,
        })}
        rows={rows}
        keyOf={({ id }) => id}
        skeletonRows={3}
      >
        {trash.data && (
          <PageButtons
            label={trashStrings.pages}
            meta={trash.data.meta}
            onPage={(next) => setParameters({ page: String(next) })}
          />
        )}
      </ListCard>
      {doomed !== undefined && <DeleteQuestion link={doomed} onClose={() => setDoomed(undefined)} />}
    </Page>
  )
}

type TrashActions = {
  trashDays: number
  canWrite: boolean
  onRestore: (link: DeletedLink) => void
  onDelete: (link: DeletedLink) => void
}

const trashColumns = (actions: TrashActions): Column<DeletedLink>[] => [
  {
    id: 'link',
    head: strings.links.columns.link,
    cell: (link) => (
      <LinkCell link={link}>
        <strong className="cut">
          <ShortUrl url={link.short_url} />
        </strong>
      </LinkCell>
    ),
    skeleton: <Skeleton width={280} height={32} />,
  },
  {
    id: 'deleted',
    head: trashStrings.deleted,
    cell: ({ deleted_at: at }) => <Time at={at} />,
  },
  {
    id: 'left',
    head: trashStrings.left,
    cell: ({ deleted_at: at }) => (
      <span className="soft">{trashStrings.daysLeft(daysLeft(at, actions.trashDays))}</span>
    ),
  },
  ...(actions.canWrite ? [toolsColumn(actions)] : []),
]

const toolsColumn = ({ onRestore, onDelete }: TrashActions): Column<DeletedLink> => ({
  id: 'act',
  head: strings.links.columns.menu,
  isHeadHidden: true,
  isNumber: true,
  cell: (link) => (
    <span className="trash-tools">
      <Button
        icon={Undo2}
        size="small"
        aria-label={trashStrings.restoreOf(link.short_code)}
        onClick={() => onRestore(link)}
      >
        {trashStrings.restore}
      </Button>
      <IconButton
        icon={Trash2}
        label={trashStrings.deleteOf(link.short_code)}
        onClick={() => onDelete(link)}
      />
    </span>
  ),
  skeleton: <Skeleton width={130} height={30} />,
})

const DAY_MS = 86_400_000
const daysLeft = (deletedAt: string, trashDays: number): number =>
  Math.max(0, Math.ceil(trashDays - (nowMs() - Date.parse(deletedAt)) / DAY_MS))

function DeleteQuestion({ link, onClose }: { link: DeletedLink; onClose: () => void }) {
  const { id, short_code: code } = link
  const deletion = useChange(() => ask('DELETE /trash/links/{id}', { path: { id } }), {
    said: trashStrings.deletedForGood(code),
    onSettled: useListRefresh(),
  })
  return (
    <Question
      title={trashStrings.deleteTitle(code)}
      text={trashStrings.deleteText}
      action={trashStrings.delete}
      onYes={() => deletion.mutateAsync()}
      onClose={onClose}
    />
  )
}
