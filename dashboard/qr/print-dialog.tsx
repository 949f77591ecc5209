import { Printer } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { Select } from '../components/fields/field.tsx'
import { shortUrlText } from '../format.ts'
import { qrStrings } from './qr-strings.ts'
import { svgUrl } from './qr-pictures.ts'

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
            {hasUrl && <span style={{ fontSize: `${sticker / 22}mm` }}>{shortUrlText(url)}</span>}
          </div>
        ))}
      </div>
    </div>
  )
}

/** In millimeters. */
export const PAPERS = { a4: { width: 210, height: 297 }, letter: { width: 215.9, height: 279.4 } } as const
export type Paper = keyof typeof PAPERS

/** Regions that print on Letter, by the Unicode CLDR. All others use A4. */
const LETTER_REGIONS = 'BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' ')

export function usualPaper(locale: string): Paper {
  const { region = '' } = new Intl.Locale(locale).maximize()
  return LETTER_REGIONS.includes(region) ? 'letter' : 'a4'
}

export const STICKERS_MM = [90, 60, 40, 30] as const
/** Most printers leave no more than this white on each side. */
const EDGE_MM = 7

/** How many square stickers fit on a sheet. */
export function sheetLayout(
  paper: Paper,
  stickerMm: number,
): { columns: number; rows: number; count: number } {
  const fitting = (length: number) => Math.floor((length - 2 * EDGE_MM) / stickerMm)
  const columns = fitting(PAPERS[paper].width)
  const rows = fitting(PAPERS[paper].height)
  return { columns, rows, count: columns * rows }
}
