import { z } from 'zod'
import { NOT_A_STRING, REQUIRED } from '../../validation/field-rules.ts'
import { DESTINATION_LENGTH_MAX, type DestinationRules, readDestination } from './destination.ts'

/** `text`: as it was sent, but trimmed. `href`: as the redirect sends it, normalized, in visible ASCII. */
export type Destination = { text: string; href: string }

export const destinationField = (rules: DestinationRules) =>
  z
    .string({ error: ({ input }) => (input === undefined ? REQUIRED : NOT_A_STRING) })
    .transform((text, context): Destination => {
      const read = readDestination(text, rules)
      if ('href' in read) return read
      context.issues.push({ code: 'custom', message: read.error, params: { code: read.code }, input: text })
      return z.NEVER
    })
    .meta({ maxLength: DESTINATION_LENGTH_MAX })

/** For what nobody needs in the spelling in which it was sent. */
export const destinationHref = (rules: DestinationRules) =>
  destinationField(rules)
    .transform(({ href }) => href)
    .meta({ maxLength: DESTINATION_LENGTH_MAX })
