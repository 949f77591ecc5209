import {
  CalendarClock,
  CirclePause,
  CornerDownRight,
  FileText,
  Gauge,
  Image,
  Lock,
  type LucideIcon,
  Plus,
  SlidersHorizontal,
  Split,
  Undo2,
} from 'lucide-react'
import type { LinkDestinationView, LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import { calendarDay, exactTime, fullNumber, timeOfDay, timeSpan } from '../../format.ts'
import { Badge, InitialBadge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { historyStrings as texts } from './history-strings.ts'
import { deedOf } from './change-text.ts'
import { VersionDiffs } from './diff.tsx'

type VersionEntryProps = {
  version: LinkVersionView
  isCurrent: boolean
  /** Where the link led since this version, if that is what the version changed. */
  destination: LinkDestinationView | undefined
  /** When the next destination took over; undefined for the current one. */
  until: string | undefined
  /** Undefined where the role does not allow it. */
  onRestore: (() => void) | undefined
}

export const VersionEntry = ({ version, isCurrent, destination, until, onRestore }: VersionEntryProps) => {
  const { version: number, changed_at: at, changed_by: by, api_key: key, changes } = version
  const Icon = iconOf(version)
  const name = by?.name ?? texts.somebody
  const changeTime = `${calendarDay(at)}, ${timeOfDay(at)}`
  return (
    <li className="version">
      <span className={`version-icon${isCurrent ? ' is-current' : ''}`}>
        <Icon size={15} aria-hidden />
      </span>
      <div className="version-content">
        <div className="version-head">
          <InitialBadge name={name} shape="round" />
          <p>
            <strong>{name}</strong>
            {key && texts.withKey(key.name)} {number > 1 ? deedOf(changes) : texts.created}{' '}
            {isCurrent && <Badge tone="ok">{texts.current}</Badge>}
          </p>
          <time dateTime={at} title={exactTime(at)}>
            {changeTime}
          </time>
        </div>
        <VersionDiffs changes={changes} />
        <div className="version-foot">
          <span>{destination && clicksText(destination, until)}</span>
          {!isCurrent && onRestore && (
            <Button
              variant="quiet"
              size="small"
              icon={Undo2}
              aria-label={texts.restoreOf(changeTime)}
              onClick={onRestore}
            >
              {texts.restore}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

/** Nothing where the number is not exact. */
function clicksText({ clicks, since }: LinkDestinationView, until: string | undefined): string | undefined {
  if (clicks === null) return undefined
  const count = texts.clicks(fullNumber(clicks))
  return until === undefined ? texts.sinceThen(count) : texts.during(timeSpan(since, until), count)
}

const ICONS: [field: string, icon: LucideIcon][] = [
  ['original_url', CornerDownRight],
  ['rules', Split],
  ['starts_at', CalendarClock],
  ['expires_at', CalendarClock],
  ['max_clicks', Gauge],
  ['fallback_url', CornerDownRight],
  ['has_password', Lock],
  ['is_active', CirclePause],
  ['title', FileText],
  ['social_title', Image],
  ['social_description', Image],
  ['social_image_url', Image],
]

function iconOf({ version, changes }: LinkVersionView): LucideIcon {
  if (version === 1) return Plus
  return ICONS.find(([field]) => Object.hasOwn(changes, field))?.[1] ?? SlidersHorizontal
}
