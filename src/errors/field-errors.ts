import type { z } from 'zod'
import type { FieldErrors } from './refusal.ts'

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>

/**
 * Turns the issues of a schema into the errors of a refusal. In messages, `:attribute` stands for the name of the field, as in
 * Laravel, whose wording the specification requires. So fields with different names can share a schema.
 */
export function fieldErrorsOf(issues: readonly Issue[], prefix: readonly PropertyKey[] = []): FieldErrors {
  const errors: FieldErrors = {}
  for (const { path, message } of issues) {
    const full = [...prefix, ...path]
    const sentences = (errors[full.join('.')] ??= [])
    sentences.push(message.replace(':attribute', attributeOf(full)))
  }
  return errors
}

/** `links.3.original_url` is called "original url", and `links.3` by its full name. */
function attributeOf(path: readonly PropertyKey[]): string {
  const last = path.at(-1)
  return typeof last === 'string' ? last.replaceAll('_', ' ') : path.join('.')
}
