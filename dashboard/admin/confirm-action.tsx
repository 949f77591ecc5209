import { Question } from '../components/dialogs/dialog.tsx'
import { useOperatorAction } from './operator-queries.ts'

/** What an operator is asked before it is done. */
export type OperatorAction = {
  title: string
  text: string
  label: string
  said: string
  run(): Promise<unknown>
}

export function ConfirmAction({ action, onClose }: { action: OperatorAction; onClose: () => void }) {
  const { title, text, label, said, run } = action
  const running = useOperatorAction(run, { said })
  return (
    <Question
      title={title}
      text={text}
      action={label}
      onYes={() => running.mutateAsync()}
      onClose={onClose}
    />
  )
}
