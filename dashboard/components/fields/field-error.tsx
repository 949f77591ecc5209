import { CircleAlert } from 'lucide-react'

/** Below a field, or a group of fields: what is wrong with it. */
export const FieldError = ({ id, text }: { id?: string; text: string }) => (
  <span className="field-error" id={id} role="alert">
    <CircleAlert size={15} aria-hidden />
    <span>{text}</span>
  </span>
)
