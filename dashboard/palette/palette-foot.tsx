import { IS_APPLE } from '../shortcuts.ts'
import { paletteStrings } from './palette-strings.ts'

const { foot: texts } = paletteStrings
const MOVE: Hint = [['↑', '↓'], texts.move]
const OF_SEARCH: Hint[] = [
  MOVE,
  [['↵'], texts.open],
  [[IS_APPLE ? '⌘↵' : 'Ctrl ↵'], texts.copy],
  [['→'], texts.actions],
]
const OF_LINK: Hint[] = [MOVE, [['↵'], texts.run], [['⌫'], texts.back]]

type Hint = [keys: string[], what: string]

/** Which keys do what. */
export const PaletteFoot = ({ isLink }: { isLink: boolean }) => (
  <div className="palette-foot">
    {(isLink ? OF_LINK : OF_SEARCH).map(([keys, what]) => (
      <span key={what}>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
        {what}
      </span>
    ))}
    {!isLink && (
      <span className="palette-only">
        {texts.type}
        <kbd>&gt;</kbd>
        {texts.only}
      </span>
    )}
  </div>
)
