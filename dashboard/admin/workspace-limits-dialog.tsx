import { useState } from 'react'
import type { ManagedWorkspaceView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { SelectField, TextField } from '../components/fields/field.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { adminStrings } from './admin-strings.ts'
import { strings } from '../strings.ts'
import { useSignedIn } from '../use-session.ts'
import { useOperatorAction } from './operator-queries.ts'

const { workspaces: texts } = adminStrings
const PLANS = ['free', 'pro', 'business', 'enterprise'] as const
type Plan = (typeof PLANS)[number]

type LimitsDialogProps = { workspace: ManagedWorkspaceView; onClose: () => void }

export function WorkspaceLimitsDialog({ workspace, onClose }: LimitsDialogProps) {
  const { has_plans: hasPlans } = useSignedIn().user
  const [plan, setPlan] = useState(workspace.plan as Plan)
  const [limit, setLimit] = useState(workspace.rate_limit === null ? '' : String(workspace.rate_limit))
  const edit = useOperatorAction(
    (input: { plan: Plan; rate_limit: number | null }) =>
      ask('PUT /admin/workspaces/{id}', { path: { id: workspace.id }, input }),
    () => texts.saved(workspace.name),
  )
  const save = () =>
    edit.mutate({ plan, rate_limit: limit === '' ? null : Number(limit) }, { onSuccess: onClose })
  return (
    <FormDialog
      title={texts.limitsOf(workspace.name)}
      action={strings.actions.save}
      mutation={edit}
      onSubmit={save}
      onClose={onClose}
    >
      {hasPlans && (
        <SelectField
          label={texts.plan}
          value={plan}
          onChoice={setPlan}
          choices={PLANS.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))}
          errors={errorsOf(edit.error, 'plan')}
        />
      )}
      <TextField
        label={texts.limit}
        hint={hasPlans ? texts.limitHintPlan : texts.limitHint}
        type="number"
        inputMode="numeric"
        min={1}
        value={limit}
        onText={setLimit}
        errors={errorsOf(edit.error, 'rate_limit')}
      />
    </FormDialog>
  )
}
