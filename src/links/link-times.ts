import { time } from '../validation/field-rules.ts'

export type LinkTimes = { starts_at?: number | null | undefined; expires_at?: number | null | undefined }

/** The times in a request, as far as they are valid. */
export const sentTimes = ({ starts_at, expires_at }: Record<string, unknown>): LinkTimes => ({
  starts_at: time.safeParse(starts_at).data,
  expires_at: time.safeParse(expires_at).data,
})

/** Times that cannot stand together, by the field to blame: one that was sent. `times`: as they would be stored. */
export function timeConflicts(times: LinkTimes, sent = times): Record<string, string> {
  const { starts_at: startsAt, expires_at: expiresAt } = times
  if (startsAt == null || expiresAt == null || expiresAt > startsAt) return {}
  return sent.expires_at === undefined
    ? { starts_at: 'The start must be before the end.' }
    : { expires_at: 'The end must be after the start.' }
}
