import { Refusal } from '../../errors/refusal.ts'
import { CONFLICT_CHOICES } from '../../import/import-fields.ts'
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
  return { domain: call.text('domain'), folder: call.text('folder'), without, createdFrom, createdTo }
}

/** What becomes of conflicts, as the API takes it. */
export function conflictsIn(call: Call) {
  const choice = choiceIn(call, 'on-conflict', CONFLICT_CHOICES)
  const domain = call.text('conflict-domain')
  if (choice === 'move' && domain === undefined)
    throw new Refusal('command_failed', '--on-conflict move needs --conflict-domain.')
  if (choice !== 'move' && domain !== undefined)
    throw new Refusal('command_failed', '--conflict-domain is for --on-conflict move.')
  return { on_conflict: choice, conflict_domain: domain }
}

export function choiceIn<Choice extends string>(
  call: Call,
  option: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = call.text(option)
  const choice = choices.find((each) => each === text)
  if (text !== undefined && choice === undefined)
    throw new Refusal('command_failed', `--${option} must be one of ${choices.join(', ')}.`)
  return choice
}

function dayIn(call: Call, option: string): string | undefined {
  const text = call.text(option)
  if (text !== undefined && !day.safeParse(text).success)
    throw new Refusal('command_failed', `--${option} must be a day since 1970, such as 2026-11-20.`)
  return text
}
