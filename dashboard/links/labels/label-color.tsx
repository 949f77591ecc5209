import { Check } from 'lucide-react'
import { useState } from 'react'
import type { LabelView } from '../../../src/http/endpoints/browser-types.ts'
import { Floating } from '../../components/pickers/picker.tsx'
import { labelColor } from '../../components/tag.tsx'
import { labelStrings } from './label-strings.ts'

type LabelColorProps = { label: LabelView; onColor: (color: number) => void }

/** Its color, and a choice of six. */
export function LabelColor({ label, onColor }: LabelColorProps) {
  const [isOpen, setOpen] = useState(false)
  const text = labelStrings.color(label.name)
  return (
    <Floating
      label={text}
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={
        <button type="button" className="button is-quiet is-icon" aria-label={text} title={text}>
          <Swatch color={label.color} />
        </button>
      }
    >
      <div className="label-colors" role="group" aria-label={text}>
        {labelStrings.colors.map((name, color) => (
          <button
            key={name}
            type="button"
            className="button is-quiet is-icon"
            aria-label={name}
            title={name}
            aria-pressed={color === label.color}
            onClick={() => {
              onColor(color)
              setOpen(false)
            }}
          >
            <Swatch color={color} isChosen={color === label.color} />
          </button>
        ))}
      </div>
    </Floating>
  )
}

const Swatch = ({ color, isChosen = false }: { color: number; isChosen?: boolean }) => (
  <span className="label-swatch" style={{ background: labelColor(color) }} aria-hidden>
    {isChosen && <Check size={12} strokeWidth={3} />}
  </span>
)
