import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { describedBy, FieldNotes } from './field-error.tsx'

export type FieldParts = {
  label: string
  hint?: ReactNode
  errors?: string[] | undefined
  /** Next to the label: a link, a count. */
  aside?: ReactNode
}

type Described = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

export function Field({
  label,
  hint,
  errors,
  aside,
  children,
}: FieldParts & { children: (described: Described) => ReactNode }) {
  const id = useId()
  const labelText = <label htmlFor={id}>{label}</label>
  return (
    <div className="field">
      {aside ? (
        <span className="label-line">
          {labelText}
          {aside}
        </span>
      ) : (
        labelText
      )}
      {children({ id, ...describedBy(id, { hint, errors }) })}
      <FieldNotes id={id} hint={hint} errors={errors} />
    </div>
  )
}

/** For what is no prose: a host, a code, a password. */
export const VERBATIM = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

type TextFieldProps = FieldParts &
  Omit<ComponentProps<'input'>, 'className' | 'onChange'> & {
    onText?: (text: string) => void
    suffix?: ReactNode
  }

export function TextField({ label, hint, errors, aside, onText, suffix, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} errors={errors} aside={aside}>
      {(described) => (
        <span className="input-with">
          <input
            {...input}
            {...described}
            className="input"
            onChange={(event) => onText?.(event.target.value)}
          />
          {suffix && <span className="suffix">{suffix}</span>}
        </span>
      )}
    </Field>
  )
}

type TextAreaProps = FieldParts &
  Omit<ComponentProps<'textarea'>, 'className' | 'onChange'> & { onText: (text: string) => void }

export function TextArea({ label, hint, errors, aside, onText, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} errors={errors} aside={aside}>
      {(described) => (
        <textarea
          spellCheck={false}
          {...area}
          {...described}
          className="input"
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  )
}

type Choice<Value extends string> = { value: Value; label: string; isDisabled?: boolean }

type SelectProps<Value extends string> = Omit<
  ComponentProps<'select'>,
  'className' | 'onChange' | 'value' | 'size'
> & {
  choices: Choice<Value>[]
  value: Value
  onChoice: (value: Value) => void
  size?: 'medium' | 'small'
}

/** The browser's `<select>`, which works with every keyboard, phone and screen reader. */
export function Select<Value extends string>({
  choices,
  value,
  onChoice,
  size = 'medium',
  ...others
}: SelectProps<Value>) {
  return (
    <span className={`select is-${size}`}>
      <select {...others} value={value} onChange={(event) => onChoice(event.target.value as Value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.isDisabled ?? false}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden />
    </span>
  )
}

export function SelectField<Value extends string>({
  label,
  hint,
  errors,
  ...select
}: FieldParts & SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(described) => <Select {...select} {...described} />}
    </Field>
  )
}
