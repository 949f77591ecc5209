import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ask } from '../api-client.ts'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { workspaceStrings as texts } from './workspace-strings.ts'
import { useWorkspaceChange } from './workspace-change.ts'

/** Creates a workspace and goes there. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [, navigate] = useLocation()
  const change = useWorkspaceChange()
  const creation = useMutation({
    mutationFn: async () => change((await ask('POST /workspaces', { input: { name: name.trim() } })).data.id),
    onSuccess: () => {
      onClose()
      navigate('/')
    },
  })
  return (
    <FormDialog
      title={texts.newWorkspace}
      action={texts.createWorkspace}
      mutation={creation}
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <p>{texts.newWorkspaceText}</p>
      <TextField
        label={texts.name}
        value={name}
        onText={setName}
        autoComplete="organization"
        errors={errorsOf(creation.error, 'name')}
        autoFocus
      />
    </FormDialog>
  )
}
