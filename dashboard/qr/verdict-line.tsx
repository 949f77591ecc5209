import { CircleCheck } from 'lucide-react'
import type { QrVerdict } from '../../src/qr/qr-verdict.ts'
import { Notice } from '../components/states.tsx'
import { qrStrings } from './qr-strings.ts'
import { TextButton } from '../components/button.tsx'

/** Below this contrast, many phone cameras do not recognize the code. */
const CONTRAST_SAFE = 4
/** Modules. ISO/IEC 18004 asks for them. */
const QUIET_ZONE_SAFE = 4

type VerdictLineProps = {
  /** Undefined while the server draws the style and reads it back. */
  verdict: QrVerdict | undefined
  hasLogo: boolean
  quietZone: number
  onDarken: (colors: NonNullable<QrVerdict['darkened']>) => void
}

export const VerdictLine = (props: VerdictLineProps) => (
  <div className="qr-verdict" role="status">
    {props.verdict === undefined ? (
      <p className="hint">{qrStrings.checking}</p>
    ) : (
      <Sentence {...props} verdict={props.verdict} />
    )}
  </div>
)

function Sentence({ verdict, hasLogo, quietZone, onDarken }: VerdictLineProps & { verdict: QrVerdict }) {
  const strings = qrStrings.verdict
  // Never rounded up to what it does not reach.
  const ratio = `${Math.floor(verdict.contrast * 10) / 10} : 1`
  const { darkened } = verdict
  if (verdict.contrast < CONTRAST_SAFE) {
    return (
      <Notice tone="warn">
        <strong>{strings.weak(ratio)}</strong>{' '}
        <span>
          {strings.safe}{' '}
          {darkened && <TextButton onClick={() => onDarken(darkened)}>{strings.darken}</TextButton>}
        </span>
      </Notice>
    )
  }
  if (!verdict.is_read)
    return <Notice tone="warn">{hasLogo ? strings.logoTooLarge : strings.unreadable}</Notice>
  if (verdict.is_light_on_dark) return <Notice tone="warn">{strings.lightOnDark}</Notice>
  if (quietZone < QUIET_ZONE_SAFE) return <Notice tone="warn">{strings.quietZone}</Notice>
  return (
    <p className="qr-good">
      <CircleCheck size={16} aria-hidden />
      <span>
        <strong>{strings.good}</strong> {strings.measures(ratio, verdict.smallest_print_mm)}
      </span>
    </p>
  )
}
