import type { FieldCode, FieldErrorCodes } from '../../src/errors/field-codes.ts'
import type { RefusalCode } from '../../src/errors/refusal-codes.ts'
import type { FailedAnswer, FieldErrors } from './request.ts'

/** What users read instead of sentences of the API. */
const errorStrings = {
  notAUrl: 'Enter a full URL, for example https://example.com/page.',
  blocked: 'This destination is blocked: the operator of this server has blocked its host.',
  role: 'Your role doesn’t allow this. Ask an admin.',
  owner: 'Only an owner can do this.',
}

/** What users read instead of a sentence of the API, which words its errors for programs. */
const TEXTS: Partial<Record<FieldCode, string>> = {
  url_invalid: errorStrings.notAUrl,
  host_blocked: errorStrings.blocked,
}

const ANSWER_TEXTS: Partial<Record<RefusalCode, string>> = {
  role_insufficient: errorStrings.role,
  owner_required: errorStrings.owner,
}

/** The message of an answer is the first of its sentences, so it is replaced with it. */
export function plainAnswer(answer: FailedAnswer): FailedAnswer {
  const { code, message, errors = {}, error_codes: codes = {} } = answer
  const [first] = Object.keys(errors)
  const text = first === undefined ? code && ANSWER_TEXTS[code] : plainText(codes[first]?.[0])
  return { ...answer, message: text ?? message ?? '', errors: plainErrors(errors, codes) }
}

export const plainErrors = (errors: Readonly<FieldErrors>, codes: Readonly<FieldErrorCodes>): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([name, sentences]) => [
      name,
      sentences.map((sentence, at) => plainText(codes[name]?.[at]) ?? sentence),
    ]),
  )

const plainText = (code: FieldCode | undefined) => (code === undefined ? undefined : TEXTS[code])
