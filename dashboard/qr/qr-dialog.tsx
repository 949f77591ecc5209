import { useState } from 'react'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { Failed } from '../components/states.tsx'
import { Switch } from '../components/fields/switch.tsx'
import './qr.css'
import { withoutScheme } from '../format.ts'
import { PLAIN_STYLE } from './plain-style.ts'
import { qrStrings } from './qr-strings.ts'
import { PrintDialog } from './print-dialog.tsx'
import { Downloads } from './qr-downloads.tsx'
import { svgUrl } from './qr-pictures.ts'
import { StyleBase } from './style-base.tsx'
import { StyleSettings } from './style-settings.tsx'
import { useQrDrawing } from './use-qr-drawing.ts'
import { type StyleChoice, useStyleChoice } from './use-style-choice.ts'
import { VerdictLine } from './verdict-line.tsx'

export default function QrDialog({ link, onClose }: { link: LinkView; onClose: () => void }) {
  const strings = qrStrings
  const choice = useStyleChoice(link)
  const { style, change } = choice
  const drawing = useQrDrawing(link, style)
  const { data, isChecking } = drawing
  const [isPrinting, setPrinting] = useState(false)
  return (
    <Dialog
      title={strings.title}
      subject={withoutScheme(link.short_url)}
      width="widest"
      onClose={onClose}
      foot={
        <>
          <Counts choice={choice} />
          <Downloads link={link} svg={isChecking ? undefined : data?.svg} onPrint={() => setPrinting(true)} />
        </>
      }
    >
      <div className="qr">
        <Drawing choice={choice} drawing={drawing} url={link.short_url} />
        <div className="qr-settings">
          {style && (
            <>
              <StyleBase choice={choice} />
              <StyleSettings style={style} brandColors={choice.brandColors} onChange={change} />
            </>
          )}
        </div>
      </div>
      {isPrinting && data && (
        <PrintDialog svg={data.svg} url={link.short_url} onClose={() => setPrinting(false)} />
      )}
    </Dialog>
  )
}

const Counts = ({ choice: { style, change } }: { choice: StyleChoice }) => (
  <span className="qr-counts">
    <Switch
      label={qrStrings.counts}
      isOn={style?.counts_scans ?? true}
      isDisabled={style === undefined}
      onSwitch={(counts_scans) => change({ counts_scans })}
    />
    <span aria-hidden>
      {qrStrings.counts} <span className="hint">{qrStrings.countsHint}</span>
    </span>
  </span>
)

type DrawingProps = { choice: StyleChoice; drawing: ReturnType<typeof useQrDrawing>; url: string }

/** The picture, and under it what it is worth. */
function Drawing({ choice: { style, change }, drawing, url }: DrawingProps) {
  const { data, error, isError, isChecking, refetch } = drawing
  return (
    <div className="qr-side">
      {/* The first focus: nothing else can have it before the style is there. What is transparent lies on paper. */}
      <div
        className="qr-picture"
        style={{ background: style?.background ?? 'white' }}
        tabIndex={-1}
        data-first
      >
        {data ? (
          <img src={svgUrl(data.svg)} alt={qrStrings.of(url)} />
        ) : (
          isError && <Failed query={{ error, refetch }} heading="h3" />
        )}
      </div>
      {!isError && (
        <VerdictLine
          verdict={isChecking ? undefined : data?.verdict}
          hasLogo={style !== undefined && style.logo !== null}
          quietZone={(style ?? PLAIN_STYLE).quiet_zone}
          onDarken={change}
        />
      )}
    </div>
  )
}
