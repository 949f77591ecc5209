import type { FailedAnswer } from './request.ts'
import { errorStrings } from './strings/error-strings.ts'

const NOT_A_URL = /^The .+ must be a valid URL that starts with http:\/\/ or https:\/\/\./
const BLOCKED = /^The .+ may not lead there: the host is blocked\./

/** What users read instead of a sentence of the API, which words its errors for programs. */
function plainError(sentence: string): string {
  if (NOT_A_URL.test(sentence)) return errorStrings.notAUrl
  if (BLOCKED.test(sentence)) return errorStrings.blocked
  return sentence
}

export const plainAnswer = ({ message = '', errors = {} }: FailedAnswer): FailedAnswer => ({
  message: plainError(message),
  errors: plainErrors(errors),
})

export const plainErrors = (errors: Readonly<Record<string, string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(errors).map(([name, sentences]) => [name, sentences.map(plainError)]))
