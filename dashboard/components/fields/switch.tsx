import { useId, type ReactNode } from 'react'

type SwitchProps = {
  label: string
  isOn: boolean
  onSwitch: (isOn: boolean) => void
  isDisabled?: boolean
  describedBy?: string
}

export function Switch({ label, isOn, onSwitch, isDisabled = false, describedBy }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={isDisabled}
      onClick={() => onSwitch(!isOn)}
    />
  )
}

export function SwitchRow({ text, ...parts }: Omit<SwitchProps, 'describedBy'> & { text: ReactNode }) {
  const id = useId()
  return (
    <div className="switch-line">
      <div>
        <strong>{parts.label}</strong>
        <div className="hint" id={id}>
          {text}
        </div>
      </div>
      <Switch {...parts} describedBy={id} />
    </div>
  )
}
