import { z } from 'zod'
import { hexColor, lineOfText, NOT_A_STRING, trueOrFalse } from '../../validation/field-rules.ts'

const MODULES = ['square', 'rounded', 'dots'] as const
const CORNERS = ['square', 'rounded', 'round'] as const
/** W3C Recommendation, 3rd edition, 5.2. */
export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_URI = 'data:image/png;base64,'
/** Of the PNG. The designer shrinks larger ones. */
const LOGO_BYTES_MAX = 128 * 1024
const LOGO_SIDE_MAX = 1024

const NOT_A_LOGO = `The :attribute must be a PNG as a URL that begins with ${PNG_URI}.`

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `The :attribute must be one of ${names.join(', ')}.`)

const integer = (min: number, max: number) => {
  const message = `The :attribute must be an integer between ${min} and ${max}.`
  return z.int(message).min(min, message).max(max, message)
}

/** Checked without decoding it: a small file may claim to be a huge picture. */
const logo = z
  .string(NOT_A_STRING)
  .check(({ value, issues }) => {
    const refuse = (message: string) => void issues.push({ code: 'custom', message, input: value })
    if (value.length > PNG_URI.length + (LOGO_BYTES_MAX * 4) / 3)
      return refuse(`The :attribute may not be greater than ${LOGO_BYTES_MAX / 1024} KiB.`)
    const size = sizeOfPng(value)
    if (size === undefined) return refuse(NOT_A_LOGO)
    if (Math.max(...size) > LOGO_SIDE_MAX || Math.min(...size) < 1)
      return refuse(`The :attribute must have 1 to ${LOGO_SIDE_MAX} pixels a side.`)
  })
  .nullable()

const text = lineOfText(60).refine(
  (line) => !/[\uFFFE\uFFFF]/.test(line),
  'The :attribute may not contain characters that XML does not allow.',
)

/** How QR codes look. The API, the dashboard, links and the settings of a workspace all read it with this. */
export const qrStyle = z.strictObject(
  {
    modules: oneOf(MODULES).default('square'),
    corners: oneOf(CORNERS).default('square'),
    color: hexColor.default('#000000'),
    corner_color: hexColor.default('#000000'),
    background: hexColor.nullable().default('#ffffff').meta({ description: 'null: transparent.' }),
    logo: logo.default(null).meta({ description: 'A PNG as a `data:` URL. Sets error correction to High.' }),
    logo_size: integer(10, 30).default(26).meta({ description: 'Percent of the width of the code.' }),
    logo_is_clear: trueOrFalse.default(true).meta({ description: 'Clear space around the logo.' }),
    text: text.default('').meta({ description: 'Below the code. In SVG only.' }),
    quiet_zone: integer(0, 16).default(4).meta({ description: 'In modules. The standard requires 4.' }),
    counts_scans: trueOrFalse.default(true).meta({
      description: 'Whether the code holds the short URL with `?qr`, so that scans are counted apart.',
    }),
  },
  'The :attribute must be an object.',
)

/** Of the style of one link, as JSON: lists show up to a hundred of them. */
const LINK_STYLE_BYTES_MAX = 32 * 1024

/** How the QR code of one link looks. */
export const linkQrStyle = qrStyle.refine(
  (style) => Buffer.byteLength(JSON.stringify(style)) <= LINK_STYLE_BYTES_MAX,
  `The :attribute may not be larger than ${LINK_STYLE_BYTES_MAX / 1024} KB. Use a smaller logo.`,
)

/** Stored or not. */
export const parseLinkQrStyle = (stored: string | null): QrDesign | null =>
  stored === null ? null : JSON.parse(stored)

/** With every field. */
export type QrDesign = z.output<typeof qrStyle>

/** In responses. */
export const qrStyleAnswer = z.strictObject({
  modules: z.enum(MODULES),
  corners: z.enum(CORNERS),
  color: z.string(),
  corner_color: z.string(),
  background: z.string().nullable(),
  logo: z.string().nullable(),
  logo_size: z.int(),
  logo_is_clear: z.boolean(),
  text: z.string(),
  quiet_zone: z.int(),
  counts_scans: z.boolean(),
})

export const logoBytes = (uri: string): Buffer => Buffer.from(uri.slice(PNG_URI.length), 'base64')

/** Width and height as the first chunk says; undefined if it is no PNG. */
function sizeOfPng(uri: string): [width: number, height: number] | undefined {
  if (!uri.startsWith(PNG_URI)) return undefined
  // 24 bytes are 32 characters.
  const head = Buffer.from(uri.slice(PNG_URI.length, PNG_URI.length + 32), 'base64')
  const isPng =
    head.length === 24 &&
    head.subarray(0, 8).equals(PNG_SIGNATURE) &&
    head.toString('latin1', 12, 16) === 'IHDR'
  return isPng ? [head.readUInt32BE(16), head.readUInt32BE(20)] : undefined
}
