import type { FieldErrors } from './refusal.ts'
import type { RefusalCode } from './refusal-codes.ts'

/** The body of every error response. `fields` is empty if no field is invalid. */
export function errorBody(code: RefusalCode, message: string, fields: FieldErrors = {}): string {
  return JSON.stringify({ success: false, code, message, errors: fields })
}
