import { Refusal } from '../../errors/refusal.ts'
import { LEAVABLE, type LinkChoices } from '../../import/link-choices.ts'
import type { Call } from '../command.ts'

/** What a call says of all links. */
export function choicesIn(call: Call): LinkChoices {
  const without = call.texts('without').map((text) => {
    const part = LEAVABLE.find((each) => each === text)
    if (part === undefined)
      throw new Refusal('command_failed', `--without must be one of ${LEAVABLE.join(', ')}.`)
    return part
  })
  return { domain: call.text('domain'), folder: call.text('folder'), without }
}
