import { CircleAlert, CloudOff, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FieldErrors, RequestFailure } from '../api/request.ts'
import { strings } from '../strings.ts'
import { Button } from './button.tsx'

type EmptyProps = {
  icon: LucideIcon
  title: string
  text: string
  /** What to do, in order. */
  steps?: readonly string[]
  children?: ReactNode
  /** h1 if the page has nothing else. */
  heading?: 'h1' | 'h2'
}

export const Empty = ({ icon: Icon, title, text, steps, children, heading: Heading = 'h2' }: EmptyProps) => (
  <div className="empty">
    <Icon size={28} strokeWidth={1.5} aria-hidden />
    <Heading>{title}</Heading>
    <p>{text}</p>
    {steps && (
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    )}
    {children && <div className="actions">{children}</div>}
  </div>
)

/** `refetch`: reads it again. */
type FailedQuery = { error: unknown; refetch?: () => unknown }

type FailedProps = {
  query: FailedQuery
  heading?: 'h1' | 'h2' | 'h3'
  /** What visitors of short URLs do not need: the title names it, and a note says so. */
  what?: string
}

/** Shows the request ID, which is in the operator's log too. */
export function Failed({ query: { error, refetch }, heading: Heading = 'h2', what }: FailedProps) {
  const failure = error instanceof RequestFailure ? error : undefined
  const title = what === undefined ? strings.failure.title : strings.failure.titleOf(what)
  // Where nothing answers, nobody knows how redirects are.
  const note = what !== undefined && failure?.kind !== 'offline' ? strings.failure.note : undefined
  // A retry would not find it either.
  const isMissing = failure?.kind === 'not-found'
  return (
    <div className="empty" role="alert">
      {failure?.kind === 'offline' ? (
        <CloudOff size={28} strokeWidth={1.5} aria-hidden />
      ) : (
        <CircleAlert size={28} strokeWidth={1.5} aria-hidden />
      )}
      <Heading>{isMissing ? strings.failure.goneTitle : title}</Heading>
      <p>{isMissing ? strings.failure.gone : [sentenceOf(error), note].filter(Boolean).join(' ')}</p>
      {failure?.details.requestId && (
        <p className="code">{strings.failure.request(failure.details.requestId)}</p>
      )}
      {refetch && !isMissing && (
        <div className="actions">
          <Button onClick={() => void refetch()}>{strings.actions.retry}</Button>
        </div>
      )}
    </div>
  )
}

/** Whether there is nothing to show but the failure. */
export const hasFailed = ({ error, data }: { error: unknown; data: unknown }): boolean =>
  error !== null && data === undefined

export const FailedCard = (props: FailedProps) => (
  <div className="card">
    <Failed {...props} />
  </div>
)

/** One sentence for any failure: the API's message if there is one. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof RequestFailure)) return strings.failure.fault
  if (error.kind === 'offline') return strings.failure.offline
  if (error.kind === 'too-many' && error.details.retryAfterSeconds)
    return strings.failure.tooMany(error.details.retryAfterSeconds)
  return error.message
}

const LINE_ICONS = { plain: Info, warn: TriangleAlert, bad: CircleAlert }

export function Notice({
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

/** An error that no field caused. */
export const FormFailure = ({ error }: { error: unknown }) =>
  error &&
  !(
    error instanceof RequestFailure &&
    // The dialog that asks to sign in again says so.
    (error.kind === 'signed-out' || Object.keys(error.fields).length > 0)
  ) ? (
    <Notice tone="bad">{sentenceOf(error)}</Notice>
  ) : null

export const errorsOf = (error: unknown, ...fields: string[]): string[] | undefined =>
  error instanceof RequestFailure ? fields.map((field) => error.fields[field]).find(Boolean) : undefined

/** Of a field and of what is in it: `origins` and `origins.1`. */
export const errorsBelow = (error: unknown, field: string): string[] | undefined => {
  if (!(error instanceof RequestFailure)) return undefined
  const own = Object.entries(error.fields).filter(([name]) => name === field || name.startsWith(`${field}.`))
  return own.length === 0 ? undefined : own.flatMap(([, sentences]) => sentences)
}

type ProgressProps = {
  label: string
  value: number
  max: number
  /** Progress: full is good. Otherwise a limit: nearly full is a warning. */
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

const NAME_OF_ONE = { aliases: 'code', tags: 'tag' }

/** `aliases.2` is about the third of the values. */
export function errorsOfEach(
  fields: FieldErrors,
  field: keyof typeof NAME_OF_ONE,
  values: readonly string[],
): string[] | undefined {
  const errors = Object.entries(fields).flatMap(([key, messages]) => {
    const [name, index] = key.split('.')
    if (name !== field) return []
    // The value is named, so its number is not needed.
    return index === undefined
      ? messages
      : `${values[Number(index)]}: ${messages.join(' ').replaceAll(key, NAME_OF_ONE[field])}`
  })
  return errors.length === 0 ? undefined : errors
}
