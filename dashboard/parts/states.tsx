import { CircleAlert, CloudOff, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { RequestFailure } from '../request.ts'
import { words } from '../words.ts'
import { Button } from './button.tsx'

type EmptyProps = {
  icon: LucideIcon
  title: string
  text: string
  children?: ReactNode
  /** h1 where it is all that the page has. */
  heading?: 'h1' | 'h2'
}

/** Nothing is here yet, and this is the next step. */
export const Empty = ({ icon: Icon, title, text, children, heading: Heading = 'h2' }: EmptyProps) => (
  <div className="empty">
    <Icon size={28} strokeWidth={1.5} aria-hidden />
    <Heading>{title}</Heading>
    <p>{text}</p>
    {children && <div className="actions">{children}</div>}
  </div>
)

type FailedProps = {
  error: unknown
  onRetry?: () => void
  heading?: 'h1' | 'h2' | 'h3'
  /** What failed, and what still works. */
  title?: string
  note?: string
}

/** What happened, what to do, and the id that the operator's log has too. */
export function Failed({ error, onRetry, heading: Heading = 'h2', title, note }: FailedProps) {
  const failure = error instanceof RequestFailure ? error : undefined
  // Asking again does not bring it back.
  const isGone = failure?.kind === 'not-found'
  return (
    <div className="empty" role="alert">
      {failure?.kind === 'offline' ? (
        <CloudOff size={28} strokeWidth={1.5} aria-hidden />
      ) : (
        <CircleAlert size={28} strokeWidth={1.5} aria-hidden />
      )}
      <Heading>{isGone ? words.failure.goneTitle : (title ?? words.failure.title)}</Heading>
      <p>{isGone ? words.failure.gone : [sentenceOf(error), note].filter(Boolean).join(' ')}</p>
      {failure?.details.requestId && (
        <p className="code">{words.failure.request(failure.details.requestId)}</p>
      )}
      {onRetry && !isGone && (
        <div className="actions">
          <Button onClick={onRetry}>{words.actions.retry}</Button>
        </div>
      )}
    </div>
  )
}

/** One sentence for any failure; the API's own where it has one. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof RequestFailure)) return words.failure.fault
  if (error.kind === 'offline') return words.failure.offline
  if (error.kind === 'too-many' && error.details.retryAfterSeconds)
    return words.failure.tooMany(error.details.retryAfterSeconds)
  return error.message
}

const LINE_ICONS = { plain: Info, warn: TriangleAlert, bad: CircleAlert }

export function NoticeLine({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'warn' | 'bad'
  children: ReactNode
}) {
  const Icon = LINE_ICONS[tone]
  return (
    <div className={`notice-line is-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  )
}

/** A refusal that no field is to blame for. */
export const FormFailure = ({ error }: { error: unknown }) =>
  error && !(error instanceof RequestFailure && Object.keys(error.fields).length > 0) ? (
    <NoticeLine tone="bad">{sentenceOf(error)}</NoticeLine>
  ) : null

/** The API's sentences about one field. */
export const errorsOf = (error: unknown, ...fields: string[]): string[] | undefined =>
  error instanceof RequestFailure ? fields.map((field) => error.fields[field]).find(Boolean) : undefined

type ProgressProps = {
  label: string
  value: number
  max: number
  /** Getting full is good; else it is a limit that comes near. */
  isWork?: boolean
}

export function Progress({ label, value, max, isWork = false }: ProgressProps) {
  const ratio = max === 0 ? 0 : Math.min(1, value / max)
  const state = isWork ? '' : ratio >= 1 ? ' is-full' : ratio >= 0.8 ? ' is-near' : ''
  return (
    <div
      className={`progress${state}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
    >
      <div style={{ width: `${ratio * 100}%` }} />
    </div>
  )
}
