import { useEffect, useRef } from 'react'

type TickProps = {
  label: string
  /** `some`: of several. */
  state: boolean | 'some'
  /** `isRange`: with the Shift key. */
  onTick: (isOn: boolean, isRange: boolean) => void
}

/** The check box of a row, or of all rows. */
export function Tick({ label, state, onTick }: TickProps) {
  const input = useRef<HTMLInputElement>(null)
  // There is no attribute for it.
  useEffect(() => {
    input.current!.indeterminate = state === 'some'
  }, [state])
  return (
    <label className="tick">
      <input
        ref={input}
        type="checkbox"
        aria-label={label}
        checked={state === true}
        onChange={({ target, nativeEvent }) =>
          onTick(target.checked, (nativeEvent as unknown as MouseEvent).shiftKey)
        }
      />
    </label>
  )
}
