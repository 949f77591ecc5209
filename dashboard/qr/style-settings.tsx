import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import { ColorField } from '../components/fields/color-field.tsx'
import { SelectField, TextField } from '../components/fields/field.tsx'
import { qrStrings } from './qr-strings.ts'
import { LogoPart } from './logo-part.tsx'
import { type ReactNode, useId } from 'react'

const MODULES = ['square', 'rounded', 'dots'] as const
const CORNERS = ['square', 'rounded', 'round'] as const
const QUIET_ZONES = ['0', '1', '2', '3', '4', '6', '8', '12', '16'] as const
const TEXT_LENGTH_MAX = 60

type StyleSettingsProps = {
  style: QrDesign
  brandColors: readonly string[]
  onChange: (change: Partial<QrDesign>) => void
}

export function StyleSettings({ style, brandColors, onChange }: StyleSettingsProps) {
  const strings = qrStrings
  const quietZone = String(style.quiet_zone)
  const quietZones = QUIET_ZONES.includes(quietZone as (typeof QUIET_ZONES)[number])
    ? QUIET_ZONES
    : [quietZone, ...QUIET_ZONES]
  return (
    <>
      <div className="qr-pair">
        <PickTiles
          label={strings.modules.title}
          value={style.modules}
          onPick={(modules) => onChange({ modules })}
          choices={MODULES.map((value) => ({
            value,
            label: strings.modules[value],
            picture: <ModulesPicture kind={value} />,
          }))}
        />
        <PickTiles
          label={strings.corners.title}
          value={style.corners}
          onPick={(corners) => onChange({ corners })}
          choices={CORNERS.map((value) => ({
            value,
            label: strings.corners[value],
            picture: <CornerPicture kind={value} />,
          }))}
        />
      </div>
      <Colors style={style} brandColors={brandColors} onChange={onChange} />
      <LogoPart style={style} onChange={onChange} />
      <div className="qr-pair">
        <TextField
          label={strings.text}
          value={style.text}
          placeholder={strings.textExample}
          maxLength={TEXT_LENGTH_MAX}
          onText={(text) => onChange({ text })}
        />
        <SelectField
          label={strings.quietZone}
          value={quietZone}
          onChoice={(value) => onChange({ quiet_zone: Number(value) })}
          choices={quietZones.map((value) => ({ value, label: strings.quietModules(Number(value)) }))}
        />
      </div>
    </>
  )
}

function Colors({ style, brandColors, onChange }: StyleSettingsProps) {
  const strings = qrStrings.colors
  return (
    <fieldset className="qr-colors">
      <legend>{strings.title}</legend>
      <div className="qr-pair">
        <ColorField label={strings.modules} value={style.color} onColor={(color) => onChange({ color })} />
        <ColorField
          label={strings.corners}
          value={style.corner_color}
          onColor={(corner_color) => onChange({ corner_color })}
        />
        <ColorField
          label={strings.background}
          value={style.background ?? '#ffffff'}
          isDisabled={style.background === null}
          onColor={(background) => onChange({ background })}
        />
        <label className="check-line">
          <input
            type="checkbox"
            checked={style.background === null}
            onChange={(event) => onChange({ background: event.target.checked ? null : '#ffffff' })}
          />
          {strings.transparent}
        </label>
      </div>
      {brandColors.length > 0 && (
        <div className="qr-brand" role="group" aria-label={strings.brand}>
          <span aria-hidden>{strings.brand}</span>
          {brandColors.map((color) => (
            <button
              key={color}
              type="button"
              className="swatch"
              style={{ background: color }}
              aria-label={color}
              aria-pressed={style.color === color && style.corner_color === color}
              onClick={() => onChange({ color, corner_color: color })}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}

type PickTilesProps<Value extends string> = {
  label: string
  choices: { value: Value; label: string; picture: ReactNode }[]
  value: Value
  onPick: (value: Value) => void
}

/** One of a few looks, each shown as a picture with its name. Radio buttons, so arrow keys move through them. */
function PickTiles<Value extends string>({ label, choices, value, onPick }: PickTilesProps<Value>) {
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

const PATTERN = ['##.#', '#.#.', '##..', '.###']

/** A few modules, as each kind draws them. */
const ModulesPicture = ({ kind }: { kind: QrDesign['modules'] }) => (
  <svg viewBox="0 0 4 4" width={36} height={36} fill="currentColor" aria-hidden>
    {PATTERN.flatMap((row, y) =>
      [...row].map((cell, x) => cell === '#' && <Module key={`${x} ${y}`} kind={kind} x={x} y={y} />),
    )}
  </svg>
)

function Module({ kind, x, y }: { kind: QrDesign['modules']; x: number; y: number }) {
  if (kind === 'dots') return <circle cx={x + 0.5} cy={y + 0.5} r={0.45} />
  if (kind === 'square') return <rect x={x} y={y} width={1} height={1} />
  const isJoined = (dx: number, dy: number) => PATTERN[y + dy]?.[x + dx] === '#'
  // The round module, and half a one toward each neighbor.
  return (
    <>
      <circle cx={x + 0.5} cy={y + 0.5} r={0.5} />
      {isJoined(-1, 0) && <rect x={x} y={y} width={0.5} height={1} />}
      {isJoined(1, 0) && <rect x={x + 0.5} y={y} width={0.5} height={1} />}
      {isJoined(0, -1) && <rect x={x} y={y} width={1} height={0.5} />}
      {isJoined(0, 1) && <rect x={x} y={y + 0.5} width={1} height={0.5} />}
    </>
  )
}

const RADII = { square: [0, 0], rounded: [1.7, 1], round: [3, 1.5] } as const

function CornerPicture({ kind }: { kind: QrDesign['corners'] }) {
  const [ring, middle] = RADII[kind]
  return (
    <svg viewBox="0 0 7 7" width={36} height={36} aria-hidden>
      <rect x={0.5} y={0.5} width={6} height={6} rx={ring} fill="none" stroke="currentColor" />
      <rect x={2} y={2} width={3} height={3} rx={middle} fill="currentColor" />
    </svg>
  )
}
