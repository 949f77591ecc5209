import { Refusal } from '../../refusal.ts'

/** The `{id}` of a path; what is no number is no id of anything. */
export function idOf(params: Record<string, string>): number {
  const text = params.id ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('not-found', 'Not found.')
  return Number(text)
}
