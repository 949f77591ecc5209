import { type ReactNode, useId } from 'react'

type PickTilesProps<Value extends string> = {
  label: string
  choices: { value: Value; label: string; picture: ReactNode }[]
  value: Value
  onPick: (value: Value) => void
}

/** One of a few looks, each shown as a picture with its name. Radio buttons, so arrow keys move through them. */
export function PickTiles<Value extends string>({ label, choices, value, onPick }: PickTilesProps<Value>) {
  const name = useId()
  return (
    <fieldset className="pick-tiles">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="pick-tile">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onPick(choice.value)}
          />
          {choice.picture}
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
