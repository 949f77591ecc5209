import { Download } from 'lucide-react'
import { useState } from 'react'
import { fullNumber } from '../format.ts'
import { laterWords } from '../later-words.ts'
import { ButtonLink } from './button.tsx'
import { SelectField } from './field.tsx'
import { NoticeLine } from './states.tsx'

type Level = 'L' | 'M' | 'Q' | 'H'
const SIZES = ['256', '512', '1024', '2048'] as const
/** Under this most phone cameras give up on a picture. */
const CONTRAST_MIN = 3

/** The picture as the service draws it, and what can be chosen about it. */
export function QrPanel({ code, address }: { code: string; address: string }) {
  const [size, setSize] = useState<(typeof SIZES)[number]>('512')
  const [level, setLevel] = useState<Level>('M')
  const [colour, setColour] = useState('#000000')
  const [background, setBackground] = useState('#ffffff')
  const [failedSource, setFailedSource] = useState<string>()
  const source = (format: 'svg' | 'png') => {
    const query = new URLSearchParams({
      format,
      size,
      level,
      color: colour.slice(1),
      background: background.slice(1),
    })
    return `/qr/${encodeURIComponent(code)}?${query}`
  }
  return (
    <div className="qr">
      <div className="qr-picture">
        {failedSource === source('svg') ? (
          <NoticeLine tone="bad">{laterWords.qr.failed}</NoticeLine>
        ) : (
          <img
            src={source('svg')}
            alt={laterWords.qr.of(address)}
            onError={() => setFailedSource(source('svg'))}
          />
        )}
      </div>
      <div className="qr-settings">
        <SelectField
          label={laterWords.qr.size}
          value={size}
          onChoice={setSize}
          choices={SIZES.map((value) => ({ value, label: laterWords.qr.pixels(fullNumber(Number(value))) }))}
        />
        <SelectField
          label={laterWords.qr.correction}
          value={level}
          onChoice={setLevel}
          choices={Object.entries(laterWords.qr.corrections).map(([value, label]) => ({
            value: value as Level,
            label,
          }))}
        />
        <ColourField label={laterWords.qr.colour} value={colour} onColour={setColour} />
        <ColourField label={laterWords.qr.background} value={background} onColour={setBackground} />
        {contrast(colour, background) < CONTRAST_MIN && (
          <NoticeLine tone="warn">{laterWords.qr.weak}</NoticeLine>
        )}
        <div className="actions">
          <ButtonLink icon={Download} href={source('svg')} download={`${code}.svg`}>
            {laterWords.qr.svg}
          </ButtonLink>
          <ButtonLink icon={Download} href={source('png')} download={`${code}.png`}>
            {laterWords.qr.png}
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}

const ColourField = (props: { label: string; value: string; onColour: (colour: string) => void }) => (
  <label className="colour-field">
    {props.label}
    <input type="color" value={props.value} onChange={(event) => props.onColour(event.target.value)} />
  </label>
)

/** WCAG 2.2, relative luminance. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
