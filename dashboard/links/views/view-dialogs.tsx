import { useState } from 'react'
import { Question } from '../../components/dialogs/dialog.tsx'
import { SelectField, TextField } from '../../components/fields/field.tsx'
import { FormDialog, useFields } from '../../components/fields/form.tsx'
import { useCan } from '../../use-session.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { createView, deleteView, editView, type SavedView, useViewChange } from './view-queries.ts'

const NAME_LENGTH_MAX = 60
const AUDIENCES = [
  { value: 'me', label: texts.onlyMe },
  { value: 'everyone', label: texts.everyone },
] as const

type NewViewDialogProps = { query: string; onSaved: (id: number) => void; onClose: () => void }

export function NewViewDialog({ query, onSaved, onClose }: NewViewDialogProps) {
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
