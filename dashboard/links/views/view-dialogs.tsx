import { useState } from 'react'
import { Question } from '../../components/dialogs/dialog.tsx'
import { SelectField, TextField } from '../../components/fields/field.tsx'
import { FormDialog } from '../../components/fields/form.tsx'
import { errorsOf, sentenceOf } from '../../components/states.tsx'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { useCan } from '../../use-session.ts'
import { listStrings as texts } from '../list/list-strings.ts'
import { type SavedView, useViewChange, useViewCreation, useViewDeletion } from './view-queries.ts'

const NAME_LENGTH_MAX = 60
const AUDIENCES = [
  { value: 'me', label: texts.onlyMe },
  { value: 'everyone', label: texts.everyone },
] as const

type NewViewDialogProps = { query: string; onSaved: (id: number) => void; onClose: () => void }

export function NewViewDialog({ query, onSaved, onClose }: NewViewDialogProps) {
  const [name, setName] = useState('')
  const [audience, setAudience] = useState<'me' | 'everyone'>('me')
  const creation = useViewCreation()
  const canShare = useCan('templates:write')
  const toast = useToast()
  const save = () =>
    creation.mutate(
      { name, query, is_shared: audience === 'everyone' },
      {
        onSuccess: (id) => {
          toast({ text: texts.saved(name.trim()) })
          onSaved(id)
        },
      },
    )
  return (
    <FormDialog
      title={texts.newView}
      action={texts.saveView}
      mutation={creation}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        value={name}
        maxLength={NAME_LENGTH_MAX}
        autoFocus
        onText={setName}
        errors={errorsOf(creation.error, 'name', 'query')}
      />
      {canShare && (
        <SelectField
          label={texts.whoSees}
          value={audience}
          choices={[...AUDIENCES]}
          onChoice={setAudience}
          errors={errorsOf(creation.error, 'is_shared')}
        />
      )}
    </FormDialog>
  )
}

type ViewDialogProps = { view: SavedView; onClose: () => void }

export function RenameViewDialog({ view, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view.name)
  const change = useViewChange()
  return (
    <FormDialog
      title={texts.renameView}
      action={texts.save}
      mutation={change}
      onSubmit={() => change.mutate({ id: view.id, input: { name } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        value={name}
        maxLength={NAME_LENGTH_MAX}
        autoFocus
        onText={setName}
        errors={errorsOf(change.error, 'name')}
      />
    </FormDialog>
  )
}

export function DeleteViewDialog({ view, onClose, onDeleted }: ViewDialogProps & { onDeleted: () => void }) {
  const deletion = useViewDeletion()
  const toast = useToast()
  return (
    <Question
      title={texts.deleteView}
      text={texts.deleteText(view.name, view.is_shared)}
      action={texts.deleteView}
      isBusy={deletion.isPending}
      onClose={onClose}
      onYes={() =>
        deletion.mutate(view.id, {
          onSuccess: onDeleted,
          onError: (error) => toast({ text: texts.notSaved(sentenceOf(error)), tone: 'bad' }),
        })
      }
    />
  )
}
