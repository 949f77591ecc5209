import { ChevronDown, CircleAlert, Eye, EyeOff, Search } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, use, useId, useState } from 'react'
import { errorsOf } from '../states.tsx'
import { strings } from '../../strings.ts'
import { IconButton } from '../button.tsx'

/** Why the form around a field was refused. */
export const FormError = createContext<unknown>(null)

export type FieldParts = {
  label: string
  hint?: ReactNode
  errors?: string[] | undefined
  /** Under which names the API says what is wrong with it, where the form around it was refused. */
  apiName?: string | readonly string[]
  /** Next to the label: a link, a count. */
  aside?: ReactNode
}

type Described = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

type FieldProps = FieldParts & { children: (described: Described) => ReactNode }

export function Field({ label, hint, apiName = [], aside, children, ...rest }: FieldProps) {
  const id = useId()
  const errors = errorsOf(use(FormError), ...[apiName].flat()) ?? rest.errors
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

/** What is around an input, and what the input itself is given. */
function splitParts<Props extends FieldParts>({ label, hint, errors, apiName, aside, ...input }: Props) {
  return [{ label, hint, errors, ...(apiName && { apiName }), aside } as FieldParts, input] as const
}

/** For what is no prose: a host, a code, a password. */
export const VERBATIM = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

type TextFieldProps = FieldParts &
  Omit<ComponentProps<'input'>, 'className' | 'onChange'> & {
    onText?: (text: string) => void
    suffix?: ReactNode
  }

export function TextField({ onText, suffix, ...rest }: TextFieldProps) {
  const [parts, input] = splitParts(rest)
  return (
    <Field {...parts}>
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

export function TextArea({ onText, ...rest }: TextAreaProps) {
  const [parts, area] = splitParts(rest)
  return (
    <Field {...parts}>
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

export function SelectField<Value extends string>(props: FieldParts & SelectProps<Value>) {
  const [parts, select] = splitParts(props)
  return <Field {...parts}>{(described) => <Select {...select} {...described} />}</Field>
}

type SearchFieldProps = { label: string; text: string; onText: (text: string) => void; maxLength?: number }

export const SearchField = ({ label, text, onText, maxLength }: SearchFieldProps) => (
  <span className="input-with">
    <Search size={16} aria-hidden />
    <input
      className="input"
      type="search"
      placeholder={label}
      aria-label={label}
      autoComplete="off"
      maxLength={maxLength}
      value={text}
      onChange={({ target }) => onText(target.value)}
    />
  </span>
)

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'suffix' | 'autoComplete'> & {
  /** Tells password managers whether to fill in or to generate a password. */
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      suffix={
        <IconButton
          label={isShown ? strings.actions.hidePassword : strings.actions.showPassword}
          icon={isShown ? EyeOff : Eye}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}

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
