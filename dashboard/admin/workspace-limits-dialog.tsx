import type { ManagedWorkspaceView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { SelectField, TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { adminStrings } from './admin-strings.ts'
import { strings } from '../strings.ts'
import { useSignedIn } from '../use-session.ts'
import { useOperatorAction } from './confirm-action.tsx'

const { workspaces: texts } = adminStrings
const PLANS = ['free', 'pro', 'business', 'enterprise'] as const
type Plan = (typeof PLANS)[number]

type LimitsDialogProps = { workspace: ManagedWorkspaceView; onClose: () => void }

export function WorkspaceLimitsDialog({ workspace, onClose }: LimitsDialogProps) {
  const { has_plans: hasPlans } = useSignedIn().user
  const { values, set, field } = useFields({
    plan: workspace.plan as Plan,
    rate_limit: String(workspace.rate_limit ?? ''),
  })
  const input = { plan: values.plan, rate_limit: values.rate_limit === '' ? null : Number(values.rate_limit) }
  const edit = useOperatorAction(
    () => ask('PUT /admin/workspaces/{id}', { path: { id: workspace.id }, input }),
    { said: texts.saved(workspace.name) },
  )
  return (
    <FormDialog
      title={texts.limitsOf(workspace.name)}
      action={strings.actions.save}
      change={edit}
      onClose={onClose}
    >
      {hasPlans && (
        <SelectField
          label={texts.plan}
          value={values.plan}
          onChoice={(plan) => set({ plan })}
          choices={PLANS.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))}
          apiName="plan"
        />
      )}
      <TextField
        label={texts.limit}
        hint={hasPlans ? texts.limitHintPlan : texts.limitHint}
        type="number"
        inputMode="numeric"
        min={1}
        {...field('rate_limit')}
      />
    </FormDialog>
  )
}
