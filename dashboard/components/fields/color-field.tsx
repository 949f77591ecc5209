import { useEffect, useId, useState } from 'react'
import { qrStrings } from '../../qr/qr-strings.ts'

const HEX = /^#?([0-9a-f]{6})$/i

type ColorFieldProps = {
  label: string
  value: string
  onColor: (color: string) => void
  isDisabled?: boolean
}

/** The browser's color picker, and the same color as text. */
export function ColorField({ label, value, onColor, isDisabled = false }: ColorFieldProps) {
  const id = useId()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const type = (typed: string) => {
    setText(typed)
    const digits = HEX.exec(typed.trim())?.[1]
    if (digits) onColor(`#${digits.toLowerCase()}`)
  }
  return (
    <div className="color-field">
      <label htmlFor={id}>{label}</label>
      <span className="color-input">
        <input
          type="color"
          aria-label={qrStrings.pick(label)}
          value={value}
          disabled={isDisabled}
          onChange={(event) => onColor(event.target.value)}
        />
        <input
          id={id}
          type="text"
          spellCheck={false}
          maxLength={7}
          value={text.toUpperCase()}
          disabled={isDisabled}
          aria-invalid={!HEX.test(text.trim())}
          onChange={(event) => type(event.target.value)}
          // What is no color yet goes back to the one that is drawn.
          onBlur={() => setText(value)}
        />
      </span>
    </div>
  )
}
