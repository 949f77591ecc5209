import { useEffect, useId, useRef } from 'react'
import { FieldError } from '../../../components/field-error.tsx'

type RuleUrlProps = {
  /** Spoken only: the line around it says what it is. */
  label: string
  value: string
  errors: string[] | undefined
  /** URLs of the variants of a split often differ only there. */
  showsEnd?: boolean
  onUrl: (url: string) => void
}

export function RuleUrl({ label, value, errors, showsEnd = false, onUrl }: RuleUrlProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const element = input.current!
    if (!showsEnd) return
    // Called once at first, and when the section is opened.
    const observer = new ResizeObserver(() => showEnd(element))
    observer.observe(element)
    return () => observer.disconnect()
  }, [value])
  return (
    <span className="rule-url">
      <input
        ref={input}
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
        // The browser first scrolls back to the start.
        onBlur={({ target }) => showsEnd && requestAnimationFrame(() => showEnd(target))}
      />
      {errors && <FieldError id={id} text={errors.join(' ')} />}
    </span>
  )
}

/** While a URL is typed, the browser scrolls to the cursor. */
function showEnd(input: HTMLInputElement): void {
  if (input !== document.activeElement) input.scrollLeft = input.scrollWidth
}
