import { Ban, Equal, GitCompareArrows, type LucideIcon, Plus } from 'lucide-react'
import { shortNumber } from '../../../format.ts'
import type { ItemResult } from '../job-queries.ts'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.check

type FigureProps = {
  icon: LucideIcon
  label: string
  value: number
  text: string
  tone?: 'ok' | 'soft' | 'warn' | 'bad'
}

const Figure = ({ icon: Icon, label, value, text }: FigureProps) => (
  <>
    <span className="figure-name">
      <Icon size={15} aria-hidden />
      {label}
    </span>
    <strong>{shortNumber(value)}</strong>
    <small>{text}</small>
  </>
)

/** A number with what it says. */
export const FigureCard = (props: FigureProps) => (
  <div className={`figure-card is-${props.tone ?? 'plain'}`}>
    <Figure {...props} />
  </div>
)

const LOOKS = {
  created: { icon: Plus, tone: 'ok' },
  equal: { icon: Equal, tone: 'soft' },
  conflict: { icon: GitCompareArrows, tone: 'warn' },
  refused: { icon: Ban, tone: 'bad' },
} as const

const RESULTS = Object.keys(LOOKS) as ItemResult[]

type FigureChoiceProps = {
  counts: Record<ItemResult, number>
  shown: ItemResult
  onShow: (result: ItemResult) => void
}

/** How many links there are of each result. The one that is chosen is listed below. */
export const FigureChoice = ({ counts, shown, onShow }: FigureChoiceProps) => (
  <div className="figure-cards" role="group" aria-label={texts.results}>
    {RESULTS.map((result) => (
      <button
        key={result}
        type="button"
        className={`figure-card is-${LOOKS[result].tone}`}
        aria-pressed={result === shown}
        onClick={() => onShow(result)}
      >
        <Figure icon={LOOKS[result].icon} value={counts[result]} {...texts.figures[result]} />
      </button>
    ))}
  </div>
)
