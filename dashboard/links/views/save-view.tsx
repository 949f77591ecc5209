import { Bookmark, BookmarkPlus, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/pickers/menu.tsx'
import { listStrings as texts } from '../list/list-strings.ts'
import { type ListQuery, writeView } from '../list/list-query.ts'
import { useCan } from '../../use-session.ts'
import { isChanged, type ListView } from './open-view.ts'
import { NewViewDialog } from './view-dialogs.tsx'
import { editView, type SavedView, useNotSaved, useViewChange } from './view-queries.ts'

type SaveViewProps = {
  query: ListQuery
  opened: ListView | undefined
  onOpen: (query: ListQuery) => void
}

/** Saves the list as it is now: into the open view, if the user may change it, or as a new one. */
export function SaveView({ query, opened, onOpen }: SaveViewProps) {
  const [isNaming, setNaming] = useState(false)
  const canShare = useCan('templates:write')
  const update = useViewChange((view: SavedView) => editView(view, { query: String(writeView(query)) }), {
    said: (_, view) => texts.saved(view.name),
    onError: useNotSaved(),
  })
  const canUpdate = opened?.saved?.is_own === true && (canShare || !opened.saved.is_shared)
  const name = () => setNaming(true)
  return (
    <>
      {!isChanged(query, opened) ? (
        <Button variant="quiet" size="small" icon={Plus} onClick={name}>
          {texts.newView}
        </Button>
      ) : canUpdate ? (
        <Menu
          label={texts.saveView}
          trigger={
            <Button size="small" icon={Bookmark} isBusy={update.isPending}>
              {texts.saveView}
            </Button>
          }
          items={[
            {
              label: texts.update(opened.name),
              icon: Bookmark,
              onSelect: () => update.mutate(opened.saved!),
            },
            { label: texts.saveAsNew, icon: BookmarkPlus, onSelect: name },
          ]}
        />
      ) : (
        <Button size="small" icon={Bookmark} onClick={name}>
          {texts.saveView}
        </Button>
      )}
      {isNaming && (
        <NewViewDialog
          query={String(writeView(query))}
          onSaved={(id) => {
            setNaming(false)
            onOpen({ ...query, page: 1, view: String(id) })
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
