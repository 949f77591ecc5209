import type { ComponentProps } from 'react'
import { Question } from '../components/dialogs/dialog.tsx'
import { type ChangeOptions, useChange } from '../api/use-change.ts'
import { DOMAINS } from '../domains/domain-queries.ts'
import { SESSION } from '../use-session.ts'

/** What actions change: the operator's own account may be among it. */
export const OPERATOR = [['admin'], SESSION, DOMAINS]

/** An action of the operator. Afterwards the page is reloaded. */
export const useOperatorAction = <Answer, Input = void>(
  action: (input: Input) => Promise<Answer>,
  options: ChangeOptions<Answer, Input>,
) => useChange(action, { ...options, rereads: OPERATOR })

type ConfirmActionProps = Omit<ComponentProps<typeof Question>, 'onYes'> & {
  run: () => Promise<unknown>
  said: string
}

/** Asks before it is done. */
export function ConfirmAction({ run, said, ...question }: ConfirmActionProps) {
  const { mutateAsync } = useOperatorAction(run, { said })
  return <Question {...question} onYes={() => mutateAsync()} />
}
