import { Download } from 'lucide-react'
import { useState } from 'react'
import { fullNumber } from '../format.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { ButtonLink } from './button.tsx'
import { SelectField } from './field.tsx'
import { Notice } from './states.tsx'

type Level = 'L' | 'M' | 'Q' | 'H'
const SIZES = ['256', '512', '1024', '2048'] as const
/** Below this contrast, most phone cameras do not recognize the code. */
const CONTRAST_MIN = 3

export function QrPanel({ code, url }: { code: string; url: string }) {
  const [size, setSize] = useState<(typeof SIZES)[number]>('512')
  const [level, setLevel] = useState<Level>('M')
  const [color, setColor] = useState('#000000')
  const [background, setBackground] = useState('#ffffff')
  const [failedSource, setFailedSource] = useState<string>()
  const source = (format: 'svg' | 'png') => {
    const query = new URLSearchParams({
      format,
      size,
      level,
      color: color.slice(1),
      background: background.slice(1),
    })
    return `/qr/${encodeURIComponent(code)}?${query}`
  }
  return (
    <div className="qr">
      <div className="qr-picture">
        {failedSource === source('svg') ? (
          <Notice tone="bad">{lazyStrings.qr.failed}</Notice>
        ) : (
          <img
            src={source('svg')}
            alt={lazyStrings.qr.of(url)}
            onError={() => setFailedSource(source('svg'))}
          />
        )}
      </div>
      <div className="qr-settings">
        <SelectField
          label={lazyStrings.qr.size}
          value={size}
          onChoice={setSize}
          choices={SIZES.map((value) => ({ value, label: lazyStrings.qr.pixels(fullNumber(Number(value))) }))}
        />
        <SelectField
          label={lazyStrings.qr.correction}
          value={level}
          onChoice={setLevel}
          choices={Object.entries(lazyStrings.qr.corrections).map(([value, label]) => ({
            value: value as Level,
            label,
          }))}
        />
        <ColorField label={lazyStrings.qr.color} value={color} onColor={setColor} />
        <ColorField label={lazyStrings.qr.background} value={background} onColor={setBackground} />
        {contrast(color, background) < CONTRAST_MIN && <Notice tone="warn">{lazyStrings.qr.weak}</Notice>}
        <div className="actions">
          <ButtonLink icon={Download} href={source('svg')} download={`${code}.svg`}>
            {lazyStrings.qr.svg}
          </ButtonLink>
          <ButtonLink icon={Download} href={source('png')} download={`${code}.png`}>
            {lazyStrings.qr.png}
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}

const ColorField = (props: { label: string; value: string; onColor: (color: string) => void }) => (
  <label className="color-field">
    {props.label}
    <input type="color" value={props.value} onChange={(event) => props.onColor(event.target.value)} />
  </label>
)

/** Relative luminance, WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
