import { useLocation } from 'wouter'
import { ask } from '../api-client.ts'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { useChange } from '../use-change.ts'
import { workspaceStrings as texts } from './workspace-strings.ts'
import { useWorkspaceChange } from '../use-session.ts'

/** Creates a workspace and goes there. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ name: '' })
  const [, navigate] = useLocation()
  const change = useWorkspaceChange()
  const creation = useChange(
    async () => change((await ask('POST /workspaces', { input: { name: values.name.trim() } })).data.id),
    {
      onSuccess: () => {
        onClose()
        navigate('/')
      },
    },
  )
  return (
    <FormDialog title={texts.newWorkspace} action={texts.createWorkspace} change={creation} onClose={onClose}>
      <p>{texts.newWorkspaceText}</p>
      <TextField label={texts.name} autoComplete="organization" {...field('name')} autoFocus />
    </FormDialog>
  )
}
