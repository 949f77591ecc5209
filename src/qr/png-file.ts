import { crc32, deflateSync } from 'node:zlib'
import { PNG_SIGNATURE } from '../links/qr-style/qr-style.ts'

type PngHead = { side: number; bitDepth: number; colorType: number; palette?: Buffer }

/** A square PNG (W3C Recommendation, 3rd edition). Each row of pixels comes after the byte of its filter. */
export function pngFile({ side, bitDepth, colorType, palette }: PngHead, rows: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([bitDepth, colorType], 8)
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    ...(palette === undefined ? [] : [chunk('PLTE', palette)]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, body: Buffer): Buffer {
  const typeAndBody = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(typeAndBody.length + 8)
  framed.writeUInt32BE(body.length, 0)
  typeAndBody.copy(framed, 4)
  framed.writeUInt32BE(crc32(typeAndBody), framed.length - 4)
  return framed
}
