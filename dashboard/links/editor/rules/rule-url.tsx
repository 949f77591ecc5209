import { useId } from 'react'
import { FieldError } from '../../../components/fields/field.tsx'
import { AddedScheme } from '../../added-scheme.tsx'

type RuleUrlProps = {
  /** Spoken only: the line around it says what it is. */
  label: string
  value: string
  errors: string[] | undefined
  onUrl: (url: string) => void
}

export function RuleUrl({ label, value, errors, onUrl }: RuleUrlProps) {
  const id = useId()
  return (
    <span className="rule-url">
      <input
        className="input"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        aria-label={label}
        aria-invalid={errors !== undefined}
        aria-describedby={errors && id}
        value={value}
        onChange={({ target }) => onUrl(target.value)}
      />
      <AddedScheme text={value} />
      {errors && <FieldError id={id} text={errors.join(' ')} />}
    </span>
  )
}
