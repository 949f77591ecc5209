import { errorCodesOf } from './field-codes.ts'
import type { FieldErrors } from './refusal.ts'
import type { RefusalCode } from './refusal-codes.ts'

/** The body of every error response. `fields` is empty if no field is invalid. `error_codes` is absent if no field has codes. */
export function errorBody(code: RefusalCode, message: string, fields: FieldErrors = {}): string {
  const codes = errorCodesOf(fields)
  const ofFields = Object.keys(codes).length === 0 ? {} : { error_codes: codes }
  return JSON.stringify({ success: false, code, message, errors: fields, ...ofFields })
}
