import { useWorkspaceSettings } from '../../workspaces/use-settings.ts'
import { editorStrings } from './editor-strings.ts'
import type { LinkForm } from './link-form.ts'

const { schedule: texts } = editorStrings

/** The zone that times are entered and shown in: the workspace's, else the browser's. */
export function useScheduleZone(): { zone: string; hint: string } {
  const ofWorkspace = useWorkspaceSettings().data?.timezone ?? null
  const zone = ofWorkspace ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return { zone, hint: ofWorkspace === null ? texts.zone(zone) : texts.workspaceZone(zone) }
}

/** `Dec 1, 2026, 9:00 AM`. */
export const timeIn = (iso: string, zone: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
    Date.parse(iso),
  )

/** The wall clock in the zone, as milliseconds since 1970 that count as if it were UTC. */
function wallMs(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(ms)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((each) => each.type === type)?.value ?? 0)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
}

/** `2026-12-01T09:00`; empty without a time. */
export const localTime = (iso: string | null, zone: string): string =>
  iso === null || iso === '' ? '' : new Date(wallMs(Date.parse(iso), zone)).toISOString().slice(0, 16)

/** UTC; null without a time. One that the clocks leave out in spring becomes that of an hour later. */
export function isoTime(local: string, zone: string): string | null {
  const localMs = Date.parse(`${local}Z`)
  if (Number.isNaN(localMs)) return null
  // The second look is for times around a change of the clocks.
  const near = localMs - (wallMs(localMs, zone) - localMs)
  return new Date(near - (wallMs(near, zone) - localMs)).toISOString()
}

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
