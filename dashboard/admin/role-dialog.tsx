import { ConfirmField, useProof } from '../account/confirm-field.tsx'
import { FormDialog } from '../components/form.tsx'
import { useOperatorAction } from './operator-queries.ts'
import type { RoleAction } from './user-actions.ts'

/** Asks the operator to prove who they are, because operators can do everything. */
export function RoleDialog({ action, onClose }: { action: RoleAction; onClose: () => void }) {
  const { title, text, label, saidAfter, run } = action
  const proof = useProof()
  const running = useOperatorAction(run, () => saidAfter)
  return (
    <FormDialog
      title={title}
      action={label}
      error={running.error}
      isBusy={running.isPending}
      missing={proof.missing}
      onSubmit={() => running.mutate(proof.password, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{text}</p>
      <ConfirmField proof={proof} error={running.error} autoFocus />
    </FormDialog>
  )
}
