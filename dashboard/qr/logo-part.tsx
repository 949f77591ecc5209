import { Trash2, Upload } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import { Button, IconButton } from '../components/button.tsx'
import { FieldError } from '../components/fields/field.tsx'
import { qrStrings } from './qr-strings.ts'
import { readLogoFile } from './qr-pictures.ts'

type LogoPartProps = { style: QrDesign; onChange: (change: Partial<QrDesign>) => void }

export function LogoPart({ style, onChange }: LogoPartProps) {
  const { logo: strings } = qrStrings
  const input = useRef<HTMLInputElement>(null)
  const [isRefused, setRefused] = useState(false)
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    const logo = await readLogoFile(file)
    setRefused(logo === undefined)
    if (logo !== undefined) onChange({ logo })
  }
  return (
    <fieldset className="qr-logo">
      <legend>{strings.title}</legend>
      <div className="qr-logo-row">
        {style.logo && (
          <span className="qr-logo-picture">
            <img src={style.logo} alt="" />
          </span>
        )}
        <div className="qr-logo-tools">
          <span className="actions">
            <Button icon={Upload} onClick={() => input.current?.click()}>
              {style.logo ? strings.replace : strings.upload}
            </Button>
            {style.logo && (
              <IconButton label={strings.remove} icon={Trash2} onClick={() => onChange({ logo: null })} />
            )}
          </span>
          {style.logo && <LogoPlace style={style} onChange={onChange} />}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={strings.file}
        accept=".png,.svg"
        onChange={(event) => {
          void choose(event.target.files?.[0])
          // The same file may be chosen again.
          event.target.value = ''
        }}
      />
      {isRefused && <FieldError text={strings.refused} />}
      <p className="hint">{style.logo ? strings.hint : strings.formats}</p>
    </fieldset>
  )
}

function LogoPlace({ style, onChange }: LogoPartProps) {
  const { logo: strings } = qrStrings
  const id = useId()
  return (
    <>
      <label className="check-line">
        <input
          type="checkbox"
          checked={style.logo_is_clear}
          onChange={(event) => onChange({ logo_is_clear: event.target.checked })}
        />
        {strings.clear}
      </label>
      <span className="qr-logo-size">
        <label htmlFor={id}>{strings.size}</label>
        <input
          id={id}
          type="range"
          min={10}
          max={30}
          value={style.logo_size}
          aria-valuetext={`${style.logo_size}%`}
          onChange={(event) => onChange({ logo_size: event.target.valueAsNumber })}
        />
        <output htmlFor={id}>{style.logo_size}%</output>
      </span>
    </>
  )
}
