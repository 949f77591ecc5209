import { useState } from 'react'
import type { ManagedAccountView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ask } from '../api-client.ts'
import { SelectField, TextField } from '../components/field.tsx'
import { FormDialog } from '../components/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { strings } from '../strings/strings.ts'
import { useOrder } from './operator-queries.ts'

const { admin: texts } = lazyStrings
const PLANS = ['free', 'pro', 'business', 'enterprise']
const DEFAULT_PLAN = 'free'

export function AccountDialog({ account, onClose }: { account: ManagedAccountView; onClose: () => void }) {
  const { has_plans: hasPlans } = useSignedIn().user
  const [plan, setPlan] = useState(account.plan)
  const [limit, setLimit] = useState(account.rate_limit === null ? '' : String(account.rate_limit))
  const [role, setRole] = useState(account.role)
  const edit = useOrder(
    (input: { plan: string; rate_limit: number | null; role: string }) =>
      ask('PUT /admin/accounts/{id}', { path: { id: account.id }, input }),
    () => texts.saved(account.name),
  )
  const save = () =>
    edit.mutate({ plan, rate_limit: limit === '' ? null : Number(limit), role }, { onSuccess: onClose })
  return (
    <FormDialog
      title={account.name}
      action={strings.actions.save}
      error={edit.error}
      isBusy={edit.isPending}
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
        hint={limitHint({ hasPlans, isOperator: role === 'admin' && plan === DEFAULT_PLAN })}
        type="number"
        inputMode="numeric"
        min={1}
        value={limit}
        onText={setLimit}
        errors={errorsOf(edit.error, 'rate_limit')}
      />
      <SelectField
        label={texts.role}
        hint={texts.roleHint}
        value={role}
        onChoice={setRole}
        choices={[
          { value: 'user', label: texts.roles.user },
          { value: 'admin', label: texts.roles.admin },
        ]}
        errors={errorsOf(edit.error, 'role')}
      />
    </FormDialog>
  )
}

function limitHint({ hasPlans, isOperator }: { hasPlans: boolean; isOperator: boolean }): string {
  if (isOperator) return texts.limitHintOperator
  return hasPlans ? texts.limitHintPlan : texts.limitHint
}
