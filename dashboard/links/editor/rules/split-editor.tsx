import { Check, Plus, X } from 'lucide-react'
import { type KeyboardEvent, type ReactElement, type RefObject, useRef, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { FieldError } from '../../../components/fields/field.tsx'
import { percent } from '../../../format.ts'
import { ruleStrings } from './rule-strings.ts'
import { newVariant, type RuleErrors, type Variant, VARIANTS } from './rule-form.ts'
import { RuleUrl } from './rule-url.tsx'
import { evenShares, sharesOf, withoutShare, withShare, withShareAdded } from './split-shares.ts'
import { TextButton } from '../../../components/button.tsx'
import { flushSync } from 'react-dom'

const { split: texts } = ruleStrings
const LETTERS = 'ABCDEFGHIJ'
const COLORS = 6
const colorOf = (at: number) => `var(--data-${(at % COLORS) + 1})`

type SplitEditorProps = {
  /** Switches to one URL. */
  select: ReactElement
  split: Variant[]
  errors: RuleErrors
  onSplit: (split: Variant[]) => void
}

/** Shares are shown; weights are written only if one of them is moved. */
export function SplitEditor({ select, split, errors, onSplit }: SplitEditorProps) {
  const adder = useRef<HTMLButtonElement>(null)
  const shares = sharesOf(split.map(({ weight }) => weight))
  /** The shares when the pointer took a slider, so that the others come back when it does. */
  const base = useRef<number[]>(null)
  const write = (variants: readonly Variant[], next: readonly number[]) =>
    onSplit(variants.map((variant, at) => ({ ...variant, weight: next[at]! })))
  const add = () => write([...split, newVariant(1)], withShareAdded(shares))
  const remove = (at: number) => {
    // The row goes, and would take the focus with it.
    adder.current?.focus()
    write(split.toSpliced(at, 1), withoutShare(shares, at))
  }
  return (
    <div className="split">
      <div className="split-head">
        {select}
        <TextButton onClick={() => write(split, evenShares(split.length))}>{texts.even}</TextButton>
        <Badge tone="ok" icon={Check}>
          {texts.whole}
        </Badge>
      </div>
      <ShareBar shares={shares} />
      {split.map((variant, at) => (
        <VariantRow
          key={variant.key}
          at={at}
          variant={variant}
          share={shares[at]!}
          errors={errors[`split.${at}`]}
          onUrl={(to) => onSplit(split.with(at, { ...variant, to }))}
          onGrab={(isHeld) => (base.current = isHeld ? shares : null)}
          onShare={(share) => write(split, withShare(base.current ?? shares, at, share))}
          onRemove={split.length > VARIANTS.min ? () => remove(at) : undefined}
        />
      ))}
      {errors.split && <FieldError text={errors.split.join(' ')} />}
      <Foot adder={adder} onAdd={split.length < VARIANTS.max ? add : undefined} />
    </div>
  )
}

type FootProps = { adder: RefObject<HTMLButtonElement | null>; onAdd: (() => void) | undefined }

const Foot = ({ adder, onAdd }: FootProps) => (
  <div className="split-foot">
    <button
      ref={adder}
      type="button"
      className="add-pill"
      aria-disabled={onAdd === undefined}
      onClick={onAdd}
    >
      <Plus size={15} aria-hidden />
      {texts.add}
    </button>
    <span className="hint">{onAdd ? texts.hint : texts.full(VARIANTS.max)}</span>
  </div>
)

type VariantRowProps = {
  at: number
  variant: Variant
  share: number
  errors: string[] | undefined
  onUrl: (url: string) => void
  onGrab: (isHeld: boolean) => void
  onShare: (share: number) => void
  onRemove: (() => void) | undefined
}

function VariantRow({ at, variant, share, errors, onUrl, onGrab, onShare, onRemove }: VariantRowProps) {
  const letter = LETTERS[at]!
  return (
    <div className="variant" style={{ '--variant': colorOf(at) } as React.CSSProperties}>
      <span className="variant-letter" aria-hidden>
        {letter}
      </span>
      <RuleUrl label={texts.urlOf(letter)} value={variant.to} errors={errors} onUrl={onUrl} />
      <ShareInputs letter={letter} share={share} onGrab={onGrab} onShare={onShare} />
      <button
        type="button"
        className="button is-quiet is-icon variant-remove"
        aria-label={texts.remove(letter)}
        disabled={onRemove === undefined}
        onClick={onRemove}
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}

const BAR = { width: 1_000, height: 8, gap: 4 }

function ShareBar({ shares }: { shares: readonly number[] }) {
  const label = texts.bar(shares.map((share, at) => `${LETTERS[at]} ${percent(share)}`).join(', '))
  return (
    <svg
      className="share-bar"
      viewBox={`0 0 ${BAR.width} ${BAR.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {shares.map((share, at) => {
        const start = shares.slice(0, at).reduce((all, each) => all + each, 0)
        return (
          <rect
            key={at}
            x={start * 10}
            width={share * 10 - (at < shares.length - 1 ? BAR.gap : 0)}
            height={BAR.height}
            style={{ fill: colorOf(at) }}
          />
        )
      })}
    </svg>
  )
}

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
function ShareInputs({ letter, share, onGrab, onShare }: ShareInputsProps) {
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
