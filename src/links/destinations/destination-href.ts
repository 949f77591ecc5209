import { z } from 'zod'
import { NOT_A_STRING, REQUIRED } from '../field-rules.ts'
import { DESTINATION_LENGTH_MAX, type DestinationRules, readDestination } from './destination.ts'

/** As the redirect sends it: nothing that a visitor is sent to needs the spelling in which it came. */
export const destinationHref = (rules: DestinationRules) =>
  z
    .string({ error: ({ input }) => (input === undefined ? REQUIRED : NOT_A_STRING) })
    .transform((text, context): string => {
      const read = readDestination(text, rules)
      if ('href' in read) return read.href
      context.issues.push({ code: 'custom', message: read.error, input: text })
      return z.NEVER
    })
    .meta({ maxLength: DESTINATION_LENGTH_MAX })
