import { useState } from 'react'
import { Question } from '../../components/dialogs/dialog.tsx'
import { SelectField, TextField } from '../../components/fields/field.tsx'
import { FormDialog, useFields } from '../../components/fields/form.tsx'
import { useCan } from '../../use-session.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import {
  createView,
  deleteView,
  editView,
  type SavedView,
  useNotSaved,
  useViewChange,
} from './view-queries.ts'
import { Bookmark, BookmarkPlus, Plus } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/pickers/menu.tsx'
import { type ListQuery, writeView } from '../list/list-query.ts'
import { isChanged, type ListView } from './open-view.ts'

const NAME_LENGTH_MAX = 60
const AUDIENCES = [
  { value: 'me', label: texts.onlyMe },
  { value: 'everyone', label: texts.everyone },
] as const

type NewViewDialogProps = { query: string; onSaved: (id: number) => void; onClose: () => void }

function NewViewDialog({ query, onSaved, onClose }: NewViewDialogProps) {
  const { values, field } = useFields({ name: '' })
  const [audience, setAudience] = useState<'me' | 'everyone'>('me')
  const canShare = useCan('templates:write')
  const creation = useViewChange(
    () => createView({ name: values.name, query, is_shared: audience === 'everyone' }),
    { said: texts.saved(values.name.trim()) },
  )
  return (
    <FormDialog
      title={texts.newView}
      action={texts.saveView}
      change={creation}
      onDone={({ data }) => onSaved(data.id)}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        maxLength={NAME_LENGTH_MAX}
        autoFocus
        {...field('name')}
        apiName={['name', 'query']}
      />
      {canShare && (
        <SelectField
          label={texts.whoSees}
          value={audience}
          choices={[...AUDIENCES]}
          onChoice={setAudience}
          apiName="is_shared"
        />
      )}
    </FormDialog>
  )
}

type ViewDialogProps = { view: SavedView; onClose: () => void }

export function RenameViewDialog({ view, onClose }: ViewDialogProps) {
  const { values, field } = useFields({ name: view.name })
  const change = useViewChange(() => editView(view, values))
  return (
    <FormDialog title={texts.renameView} action={texts.save} change={change} onClose={onClose}>
      <TextField label={texts.name} maxLength={NAME_LENGTH_MAX} autoFocus {...field('name')} />
    </FormDialog>
  )
}

export function DeleteViewDialog({ view, onClose, onDeleted }: ViewDialogProps & { onDeleted: () => void }) {
  const deletion = useViewChange(() => deleteView(view))
  return (
    <Question
      title={texts.deleteView}
      text={texts.deleteText(view.name, view.is_shared)}
      action={texts.deleteView}
      failed={texts.notSaved}
      onYes={() => deletion.mutateAsync(undefined, { onSuccess: onDeleted })}
      onClose={onClose}
    />
  )
}

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
