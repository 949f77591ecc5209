import { Printer } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { Select } from '../components/fields/field.tsx'
import { withoutScheme } from '../format.ts'
import { qrStrings } from './qr-strings.ts'
import { svgUrl } from './qr-pictures.ts'
import { PAPERS, type Paper, sheetLayout, STICKERS_MM, usualPaper } from './sheet-layout.ts'

type PrintDialogProps = { svg: string; url: string; onClose: () => void }
type SheetProps = {
  svg: string
  url: string
  paper: Paper
  sticker: number
  hasMarks: boolean
  hasUrl: boolean
}

/** A sheet of stickers at their real size. The browser prints it, or saves it as PDF. */
export function PrintDialog({ svg, url, onClose }: PrintDialogProps) {
  const { print: strings } = qrStrings
  const [paper, setPaper] = useState<Paper>(() => usualPaper(navigator.language))
  const [sticker, setSticker] = useState<number>(STICKERS_MM[0])
  const [hasMarks, setMarks] = useState(true)
  const [hasUrl, setUrl] = useState(true)
  const sheet = <Sheet {...{ svg, url, paper, sticker, hasMarks, hasUrl }} />
  return (
    <Dialog
      title={strings.title}
      width="widest"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{strings.back}</Button>
          <Button variant="primary" icon={Printer} onClick={() => print()}>
            {strings.action}
          </Button>
        </>
      }
    >
      <div className="print-settings">
        <Select
          aria-label={strings.paper}
          value={paper}
          onChoice={setPaper}
          choices={(Object.keys(PAPERS) as Paper[]).map((value) => ({ value, label: strings.papers[value] }))}
        />
        <Select
          aria-label={strings.stickers}
          value={String(sticker)}
          onChoice={(value) => setSticker(Number(value))}
          choices={STICKERS_MM.map((side) => ({
            value: String(side),
            label: strings.sticker(sheetLayout(paper, side).count, side),
          }))}
        />
        <Check label={strings.marks} isOn={hasMarks} onCheck={setMarks} />
        <Check label={strings.url} isOn={hasUrl} onCheck={setUrl} />
      </div>
      <div className="print-preview" aria-hidden>
        {sheet}
      </div>
      {/* Beside the app, which is not printed. */}
      {createPortal(<div className="printed">{sheet}</div>, document.body)}
    </Dialog>
  )
}

const Check = (props: { label: string; isOn: boolean; onCheck: (isOn: boolean) => void }) => (
  <label className="check-line">
    <input type="checkbox" checked={props.isOn} onChange={(event) => props.onCheck(event.target.checked)} />
    {props.label}
  </label>
)

function Sheet({ svg, url, paper, sticker, hasMarks, hasUrl }: SheetProps) {
  const { columns, rows, count } = sheetLayout(paper, sticker)
  const { width, height } = PAPERS[paper]
  const side = `${sticker}mm`
  return (
    <div className={`sheet is-${paper}`} style={{ width: `${width}mm`, height: `${height}mm` }}>
      <div
        className={hasMarks ? 'stickers has-marks' : 'stickers'}
        style={{ gridTemplate: `repeat(${rows}, ${side}) / repeat(${columns}, ${side})` }}
      >
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className="sticker">
            <img src={svgUrl(svg)} alt="" />
            {hasUrl && <span style={{ fontSize: `${sticker / 22}mm` }}>{withoutScheme(url)}</span>}
          </div>
        ))}
      </div>
    </div>
  )
}
