import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import { ColorField } from '../components/fields/color-field.tsx'
import { SelectField, TextField } from '../components/fields/field.tsx'
import { PickTiles } from './pick-tile.tsx'
import { qrStrings } from './qr-strings.ts'
import { LogoPart } from './logo-part.tsx'
import { CornerPicture, ModulesPicture } from './style-pictures.tsx'

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
