import { Undo2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { trashStrings } from './trash-strings.ts'
import { useCan } from '../../use-session.ts'
import { type TrashedLink, useTrashRestoration } from './trash-queries.ts'

/** Says that a code is that of a deleted link, and offers to restore it. */
export function InTrash({ code, link }: { code: string; link: TrashedLink }) {
  const restoration = useTrashRestoration()
  const canRestore = useCan('links:write')
  return (
    <span className="in-trash" role="status">
      {trashStrings.isInTrash(code)}
      {canRestore && (
        <Button
          icon={Undo2}
          size="small"
          aria-label={trashStrings.restoreOf(link.short_code)}
          isBusy={restoration.isPending}
          onClick={() => restoration.mutate(link)}
        >
          {trashStrings.restore}
        </Button>
      )}
    </span>
  )
}
