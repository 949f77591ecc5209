import { Question } from '../components/dialogs/dialog.tsx'
import { useOperatorAction } from './operator-queries.ts'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

/** What an operator is asked before it is done. */
export type OperatorAction = {
  title: string
  text: string
  label: string
  saidAfter: string
  run(): Promise<unknown>
}

export function ConfirmAction({ action, onClose }: { action: OperatorAction; onClose: () => void }) {
  const { title, text, label, saidAfter, run } = action
  const onError = useErrorToast()
  const running = useOperatorAction(run, () => saidAfter)
  return (
    <Question
      title={title}
      text={text}
      action={label}
      isBusy={running.isPending}
      onYes={() => running.mutate(undefined, { onError, onSettled: onClose })}
      onClose={onClose}
    />
  )
}
