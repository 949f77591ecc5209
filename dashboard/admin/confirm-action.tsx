import { Question } from '../components/dialogs/dialog.tsx'
import { type ChangeOptions, useChange } from '../use-change.ts'
import { SESSION } from '../use-session.ts'

/** What actions change: the operator's own account may be among it. */
export const OPERATOR = [['admin'], SESSION]

/** An action of the operator. Afterwards the page is reloaded. */
export const useOperatorAction = <Answer, Input = void>(
  action: (input: Input) => Promise<Answer>,
  options: ChangeOptions<Answer, Input>,
) => useChange(action, { ...options, rereads: OPERATOR })

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
