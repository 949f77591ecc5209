import { useChange } from '../use-change.ts'
import { SESSION } from '../use-session.ts'

/** What the account pages show. */
export const ACCOUNT = [SESSION, ['sessions'], ['passkeys'], ['identities']]

/** A change to the account. Afterwards it is loaded again and a toast shows `said`. */
export const useAccountChange = <Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  said?: string,
) => useChange(change, { said, rereads: ACCOUNT })
