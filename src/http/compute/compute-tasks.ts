import { readPage } from '../../destination-pages/read-page.ts'
import { drawPng, drawSvg, layOut } from '../../qr/draw-design.ts'
import type { QrDesign } from '../../links/qr-style/qr-style.ts'
import type { OpenApiDocument } from '../pages/reference/openapi-document.ts'
import { referencePage } from '../pages/reference/reference-page.ts'
import { judgeQr } from '../../qr/qr-verdict.ts'

type QrPicture = { shortUrl: string; design: QrDesign; format: 'svg' | 'png'; size: number }

/** What the compute thread can do. Inputs and results are copied between the threads, so all of them have bounds. */
export const COMPUTE_TASKS = {
  readPage,

  async drawQr({ shortUrl, design, format, size }: QrPicture): Promise<string | Uint8Array> {
    const laidOut = await layOut(shortUrl, design)
    return format === 'svg' ? drawSvg(laidOut, size) : drawPng(laidOut, size)
  },

  referencePage: ({ document, baseUrl }: { document: OpenApiDocument; baseUrl: string }): string =>
    referencePage(document, { baseUrl }),

  /** The picture, and whether it can be read. */
  async previewQr({ shortUrl, design, size }: Omit<QrPicture, 'format'>) {
    const laidOut = await layOut(shortUrl, design)
    return { svg: drawSvg(laidOut, size), verdict: await judgeQr(shortUrl, laidOut) }
  },
}
