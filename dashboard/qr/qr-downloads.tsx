import { Copy, Download, Printer } from 'lucide-react'
import { useState } from 'react'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'
import { Button } from '../components/button.tsx'
import { Select } from '../components/fields/field.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { fullNumber } from '../format.ts'
import { saveFile } from '../save-file.ts'
import { qrStrings } from './qr-strings.ts'
import { pngOf, qrFileName } from './qr-pictures.ts'

const PIXELS = ['256', '512', '1024', '2048'] as const

type DownloadsProps = {
  link: LinkView
  /** Undefined until the style on the screen has been drawn. */
  svg: string | undefined
  onPrint: () => void
}

export function Downloads({ link, svg, onPrint }: DownloadsProps) {
  const strings = qrStrings
  const toast = useToast()
  const [pixels, setPixels] = useState<(typeof PIXELS)[number]>('1024')
  const isDisabled = svg === undefined
  const trying = (work: () => Promise<void>) => async () => {
    try {
      await work()
    } catch {
      toast({ tone: 'bad', text: strings.notMade })
    }
  }
  const savePng = trying(async () => saveFile(qrFileName(link, 'png'), await pngOf(svg!, Number(pixels))))
  const copy = trying(async () => {
    // The promise is handed over within the click, as some browsers demand.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(svg!, Number(pixels)) })])
    toast({ text: strings.copied })
  })
  return (
    <>
      <Button icon={Copy} disabled={isDisabled} onClick={() => void copy()}>
        {strings.copy}
      </Button>
      <Button icon={Printer} disabled={isDisabled} onClick={onPrint}>
        {strings.print.action}
      </Button>
      <Select
        aria-label={strings.size}
        value={pixels}
        onChoice={setPixels}
        choices={PIXELS.map((value) => ({ value, label: strings.pixels(fullNumber(Number(value))) }))}
      />
      <Button icon={Download} disabled={isDisabled} onClick={() => void savePng()}>
        PNG
      </Button>
      <Button
        variant="primary"
        icon={Download}
        disabled={isDisabled}
        onClick={() => saveFile(qrFileName(link, 'svg'), new Blob([svg!], { type: 'image/svg+xml' }))}
      >
        SVG
      </Button>
    </>
  )
}
