import { editorStrings } from './editor-strings.ts'
import type { LinkForm } from './link-form.ts'
import { timeIn } from './zone-times.ts'

/** The server's errors about the end. If it is not after the start, with the time of that. */
export function endErrors(
  errors: string[] | undefined,
  { starts_at: starts, expires_at: ends }: Pick<LinkForm, 'starts_at' | 'expires_at'>,
  zone: string,
): string[] | undefined {
  // Without a time, the comparison is one with NaN.
  const isBeforeStart = Date.parse(ends) <= Date.parse(starts)
  if (errors === undefined || !isBeforeStart) return errors
  return [editorStrings.schedule.endBeforeStart(timeIn(starts, zone))]
}
