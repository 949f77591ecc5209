import { type KeyboardEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { ruleStrings } from './rule-strings.ts'

const { split: texts } = ruleStrings
const STEPS: Record<string, number> = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }
const LARGE = 10

type ShareInputsProps = {
  letter: string
  share: number
  /** True when a pointer takes the slider, false when it lets go. */
  onGrab: (isHeld: boolean) => void
  onShare: (share: number) => void
}

/** A slider and a number. Arrow keys move both by one, with Shift by ten. */
export function ShareInputs({ letter, share, onGrab, onShare }: ShareInputsProps) {
  return (
    <>
      <input
        className="share-slider"
        type="range"
        min={1}
        max={99}
        aria-label={texts.shareOf(letter)}
        aria-valuetext={`${share}%`}
        value={share}
        onPointerDown={() => onGrab(true)}
        onPointerUp={() => onGrab(false)}
        onPointerCancel={() => onGrab(false)}
        onChange={({ target }) => onShare(Number(target.value))}
        onKeyDown={(event) => {
          const step = STEPS[event.key]
          if (step === undefined || !event.shiftKey) return
          event.preventDefault()
          onShare(share + step * LARGE)
        }}
      />
      <ShareNumber letter={letter} share={share} onShare={onShare} />
    </>
  )
}

function ShareNumber({ letter, share, onShare }: Omit<ShareInputsProps, 'onGrab'>) {
  /** Counts when the field is left, because the others move then. */
  const [typed, setTyped] = useState<string>()
  const take = () => {
    const number = Number(typed)
    if (typed !== undefined && /^\d+$/.test(typed.trim()) && number !== share) onShare(number)
    setTyped(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The form is saved by Enter, with what was typed.
    if (event.key === 'Enter') return flushSync(take)
    const step = event.key === 'ArrowUp' || event.key === 'ArrowDown' ? STEPS[event.key] : undefined
    if (step === undefined) return
    event.preventDefault()
    setTyped(undefined)
    onShare(share + step * (event.shiftKey ? LARGE : 1))
  }
  return (
    <span className="share-number">
      <input
        className="input"
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        aria-label={texts.percentOf(letter)}
        value={typed ?? String(share)}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={take}
        onKeyDown={onKeyDown}
      />
      <span aria-hidden>%</span>
    </span>
  )
}
