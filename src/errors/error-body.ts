import type { FieldErrors } from './refusal.ts'

/** The body of every error response. `fields` is empty if no field is invalid. */
export function errorBody(message: string, fields: FieldErrors = {}): string {
  return JSON.stringify({ success: false, message, errors: fields })
}
