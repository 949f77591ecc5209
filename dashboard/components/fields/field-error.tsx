import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Below a field, or a group of fields: what is wrong with it. */
export const FieldError = ({ id, text }: { id?: string; text: string }) => (
  <span className="field-error" id={id} role="alert">
    <CircleAlert size={15} aria-hidden />
    <span>{text}</span>
  </span>
)

type Notes = { hint?: ReactNode; errors?: readonly string[] | undefined }

/** For the input of a field: a screen reader says its errors and its hint. */
export function describedBy(id: string, { hint, errors = [] }: Notes) {
  const hasErrors = errors.length > 0
  const ids = [hasErrors && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { 'aria-invalid': hasErrors, 'aria-describedby': ids || undefined }
}

/** Below the input. `children`: between its errors and its hint. */
export const FieldNotes = ({
  id,
  hint,
  errors = [],
  children,
}: Notes & { id: string; children?: ReactNode }) => (
  <>
    {errors.length > 0 && <FieldError id={`${id}-error`} text={errors.join(' ')} />}
    {children}
    {hint && (
      <span className="hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
  </>
)
