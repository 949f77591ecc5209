import { useState } from 'react'
import { ColorField } from '../components/color-field.tsx'
import { PickTiles } from '../components/pick-tile.tsx'
import { ModulesPicture } from '../qr/style-pictures.tsx'
import { VerdictLine } from '../qr/verdict-line.tsx'
import qrCss from '../styles/qr.css' with { type: 'text' }
import { addLateStyle } from '../styles/late-style.ts'
import { Group } from './gallery-group.tsx'

addLateStyle(qrCss)

const nothing = () => {}

const GOOD = {
  is_read: true,
  contrast: 11.42,
  is_light_on_dark: false,
  smallest_print_mm: 18,
  darkened: { color: '#000000', corner_color: '#000000' },
}

const KINDS = ['square', 'rounded', 'dots'] as const

export function QrParts() {
  const [kind, setKind] = useState<(typeof KINDS)[number]>('rounded')
  const verdicts = [
    undefined,
    GOOD,
    { ...GOOD, contrast: 1.94 },
    { ...GOOD, contrast: 1.94, darkened: null },
    { ...GOOD, is_light_on_dark: true },
    { ...GOOD, is_read: false },
  ]
  return (
    <>
      <Group title="Tiles to pick from">
        <PickTiles
          label="Modules"
          value={kind}
          onPick={setKind}
          choices={KINDS.map((value) => ({ value, label: value, picture: <ModulesPicture kind={value} /> }))}
        />
      </Group>
      <Group title="Color field">
        <ColorField label="Modules" value="#0f3d56" onColor={nothing} />
        <ColorField label="Background, disabled" value="#ffffff" onColor={nothing} isDisabled />
      </Group>
      <Group title="What a QR code is worth">
        {verdicts.map((verdict, index) => (
          <VerdictLine key={index} verdict={verdict} hasLogo={index === 5} quietZone={4} onDarken={nothing} />
        ))}
      </Group>
    </>
  )
}
