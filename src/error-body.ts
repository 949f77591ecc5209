import type { FieldErrors } from './refusal.ts'

/** The one body of every refusal and fault, whichever door it leaves by. `fields` is empty when none is at fault. */
export function errorBody(message: string, fields: FieldErrors = {}): string {
  return JSON.stringify({ success: false, message, errors: fields })
}
