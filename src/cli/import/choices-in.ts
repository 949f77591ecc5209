import { Refusal } from '../../errors/refusal.ts'
import { LEAVABLE, type LinkChoices, refuseReversedDays } from '../../import/link-choices.ts'
import { day } from '../../validation/field-rules.ts'
import type { Call } from '../command.ts'

/** What a call says of all links. */
export function choicesIn(call: Call): LinkChoices {
  const without = call.texts('without').map((text) => {
    const part = LEAVABLE.find((each) => each === text)
    if (part === undefined)
      throw new Refusal('command_failed', `--without must be one of ${LEAVABLE.join(', ')}.`)
    return part
  })
  const createdFrom = dayIn(call, 'created-from')
  const createdTo = dayIn(call, 'created-to')
  refuseReversedDays(createdFrom, createdTo)
  if (call.text('conflict-domain') !== undefined && call.text('on-conflict') !== 'move')
    throw new Refusal('command_failed', '--conflict-domain is for --on-conflict move.')
  return { domain: call.text('domain'), folder: call.text('folder'), without, createdFrom, createdTo }
}

function dayIn(call: Call, option: string): string | undefined {
  const text = call.text(option)
  if (text !== undefined && !day.safeParse(text).success)
    throw new Refusal('command_failed', `--${option} must be a day since 1970, such as 2026-11-20.`)
  return text
}
