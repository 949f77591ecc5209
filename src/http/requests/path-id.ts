import { Refusal } from '../../errors/refusal.ts'

/** The `{id}` of a path. Anything but a number matches nothing. */
export function idOf(params: Record<string, string>): number {
  const text = params.id ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('not_found', 'Not found.')
  return Number(text)
}
