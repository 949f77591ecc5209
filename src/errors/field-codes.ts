import type { FieldErrors } from './refusal.ts'

/** Why a value is invalid. Programs rely on the names, so a released one never changes its meaning. */
export const FIELD_CODES = {
  code_characters: 'The code, or alias, has characters that codes cannot have.',
  code_length: 'The code, or alias, is too short or too long.',
  code_in_trash: 'The code, or alias, is that of a link in the trash of the workspace.',
  code_reserved: 'The service keeps the code for itself.',
  code_taken: 'The code, or alias, has already been taken, or opens another link now.',
  credentials_in_url: 'The URL has a user name or password.',
  external_id_taken: 'Another link of the workspace has the external id.',
  host_blocked: 'The operator has blocked the host.',
  points_to_this_service: 'The URL is one of this service.',
  private_address: 'The URL leads to a private address.',
  repeated: 'The value is used twice in the request.',
  scheme_missing: 'The URL has no scheme, such as https://. The sentence proposes one.',
  too_long: 'The value is too long.',
  url_invalid:
    'The value is not a valid URL that starts with http:// or https://, or with a scheme that the operator has added.',
  invalid: 'Any other error of a field that has one of the codes above, too.',
} as const satisfies Record<string, string>

export type FieldCode = keyof typeof FIELD_CODES
export type FieldErrorCodes = Record<string, FieldCode[]>

/** By list of sentences, so that the codes stay with the sentences when errors are merged or get other names. */
const codesOfSentences = new WeakMap<readonly string[], FieldCode[]>()

export type CodedSentence = { sentence: string; code?: FieldCode | undefined }

export function codedSentences(errors: readonly CodedSentence[]): string[] {
  const sentences = errors.map(({ sentence }) => sentence)
  if (errors.some(({ code }) => code !== undefined))
    codesOfSentences.set(
      sentences,
      errors.map(({ code = 'invalid' }) => code),
    )
  return sentences
}

/** The errors of all fields as those of one. */
export function mergedSentences(fields: FieldErrors): string[] {
  return codedSentences(
    Object.values(fields).flatMap((sentences) => {
      const codes = codesOfSentences.get(sentences)
      return sentences.map((sentence, at) => ({ sentence, code: codes?.[at] }))
    }),
  )
}

/** Those of the fields that have any, in the order of the sentences. */
export function errorCodesOf(fields: FieldErrors): FieldErrorCodes {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, sentences]) => {
      const codes = codesOfSentences.get(sentences)
      return codes === undefined ? [] : [[name, codes]]
    }),
  )
}
