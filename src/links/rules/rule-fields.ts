import { z } from 'zod'
import type { DestinationRules } from '../destinations/destination.ts'
import { destinationHref } from '../destinations/destination-field.ts'
import { boundedList } from '../bounded-list.ts'
import { conditions } from './condition-fields.ts'
import { RULE_ID, ruleIdsIn } from './rule-ids.ts'

const RULES_MAX = 20
const PARTS = { min: 2, max: 10 }
const WEIGHT_MAX = 100
/** All of a link's rules as JSON: a cached link stays small. */
const RULES_LENGTH_MAX = 32_768

const NOT_A_WEIGHT = `The :attribute must be a whole number from 1 to ${WEIGHT_MAX}.`
const weight = z
  .number(NOT_A_WEIGHT)
  .refine((weight) => Number.isInteger(weight) && weight >= 1 && weight <= WEIGHT_MAX, NOT_A_WEIGHT)
  .meta({ type: 'integer', minimum: 1, maximum: WEIGHT_MAX })

const NOT_AN_ID = 'The :attribute must be one that a response gave.'
const id = z.string(NOT_AN_ID).regex(RULE_ID, NOT_AN_ID).optional().meta({
  description: 'As a response gave it, so that clicks go on being counted for it. New ones have none.',
})

function rule(rules: DestinationRules) {
  const to = destinationHref(rules)
  const part = z.strictObject({ id, to, weight }, 'The :attribute must be an object.')
  return z
    .strictObject(
      { id, when: conditions.optional(), to: to.optional(), split: boundedList(part, PARTS).optional() },
      'The :attribute must be an object.',
    )
    .refine((rule) => rule.to !== undefined || rule.split !== undefined, {
      error: 'The :attribute field is required when split is absent.',
      path: ['to'],
    })
    .refine((rule) => rule.to === undefined || rule.split === undefined, {
      error: 'The :attribute field may not be sent together with a destination.',
      path: ['split'],
    })
}

/** The first rule whose conditions all hold wins. */
export const ruleList = (rules: DestinationRules) =>
  boundedList(rule(rules), { min: 0, max: RULES_MAX })
    .refine((list) => JSON.stringify(list).length <= RULES_LENGTH_MAX, {
      error: `The :attribute may not be greater than ${RULES_LENGTH_MAX} characters as JSON.`,
      when: isReadable,
    })
    .refine((list) => new Set(ruleIdsIn(list)).size === ruleIdsIn(list).length, {
      error: 'The :attribute may not have an id twice.',
      when: isReadable,
    })

const isReadable = ({ issues }: { issues: readonly unknown[] }) => issues.length === 0

export type RuleFields = z.output<ReturnType<typeof ruleList>>[number]

const answeredId = z.string().meta({
  description: 'Stays when the rule or part is moved or changed. Exported clicks name it as their variant.',
  example: '5f0c1d2e',
})

/** In responses. */
export const ruleAnswers = z
  .array(
    z.strictObject({
      id: answeredId,
      when: conditions.optional(),
      to: z.string().optional(),
      split: z.array(z.strictObject({ id: answeredId, to: z.string(), weight: z.int() })).optional(),
    }),
  )
  .nullable()
  .meta({ description: 'Other destinations for some visitors; null: none.', example: null })
