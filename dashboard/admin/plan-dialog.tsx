import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { type AdminAccount, api } from '../api-client.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure } from '../parts/states.tsx'
import { words } from '../words.ts'

const { admin: texts } = words
const PLANS = ['free', 'pro', 'business', 'enterprise']

export function PlanDialog({ account, onClose }: { account: AdminAccount; onClose: () => void }) {
  const formId = useId()
  const [plan, setPlan] = useState(account.plan)
  const [limit, setLimit] = useState(account.rate_limit === null ? '' : String(account.rate_limit))
  const client = useQueryClient()
  const edit = useMutation({
    mutationFn: () =>
      api.adminEditAccount(account.id, { plan, rate_limit: limit === '' ? null : Number(limit) }),
    onSuccess: () => {
      onClose()
      return client.invalidateQueries({ queryKey: ['admin'] })
    },
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    edit.mutate()
  }
  return (
    <Dialog
      title={`${texts.edit} · ${account.name}`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" form={formId} look="primary" isBusy={edit.isPending}>
            {words.actions.save}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={save} noValidate>
        <FormFailure error={edit.error} />
        <SelectField
          label={texts.columns.plan}
          value={plan}
          onChoice={setPlan}
          choices={PLANS.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))}
          errors={errorsOf(edit.error, 'plan')}
        />
        <TextField
          label={texts.limit}
          hint={texts.limitHint}
          type="number"
          inputMode="numeric"
          min={1}
          value={limit}
          onText={setLimit}
          errors={errorsOf(edit.error, 'rate_limit')}
        />
      </form>
    </Dialog>
  )
}
