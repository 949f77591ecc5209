import { z } from 'zod'
import { invalid } from '../errors/refusal.ts'
import type { FieldErrors } from '../errors/refusal.ts'
import type { QrStyle } from './draw-qr.ts'
import type { QrLevel } from './qr-matrix.ts'

type QrFormat = 'svg' | 'png'
/** Whose style: the link's, which is the workspace's where it has none, or the workspace's. */
type SavedStyle = (typeof SAVED_STYLES)[number]
/** `saved`: undefined for a code that is drawn as `style` says. */
export type QrRequest = { format: QrFormat; style: QrStyle; saved: SavedStyle | undefined }

/** `parse` returns undefined for an invalid text. `mustBe` completes the error message. */
type Rule<Value> = { default: Value; mustBe: string; parse(text: string): Value | undefined }

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,5})$/
const HEX_COLOR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i

const FORMATS = ['svg', 'png'] as const satisfies QrFormat[]
const FORMAT: Rule<QrFormat> = {
  default: 'svg',
  mustBe: 'svg or png',
  parse: (text) => FORMATS.find((format) => format === text),
}
const LEVELS = ['L', 'M', 'Q', 'H'] as const satisfies QrLevel[]
const LEVEL: Rule<QrLevel> = {
  default: 'M',
  mustBe: 'one of L, M, Q and H',
  parse: (text) => LEVELS.find((level) => level === text.toUpperCase()),
}
/** A PNG with a logo takes ten times the work of a plain one. In pixels. */
const STYLED_PNG_SIZE_MAX = 1024
/** Which a saved style decides. */
const PARTS_OF_STYLE = ['margin', 'level', 'color', 'background'] as const
const SAVED_STYLES = ['link', 'workspace'] as const
const SAVED_STYLE: Rule<SavedStyle | undefined> = {
  default: undefined,
  mustBe: 'link or workspace',
  parse: (text) => SAVED_STYLES.find((style) => style === text),
}
/** In pixels. Phones cannot read smaller codes, and larger images have no use. */
const SIZE = { default: 256, ...integerBetween(64, 2048) }
/** In modules. The standard requires 4 (ISO/IEC 18004, 5.3.8). */
const MARGIN = { default: 4, ...integerBetween(0, 16) }
const COLOR: Rule<string> = {
  default: '#000000',
  mustBe: 'a hexadecimal color such as #1a2b3c',
  parse: parseColor,
}
const BACKGROUND: Rule<string> = { ...COLOR, default: '#ffffff' }

const color = (description: string, { default: value }: Rule<string>) =>
  z
    .string()
    .default(value)
    .meta({ description: `${description}: three or six hexadecimal digits, with or without #.` })

/** What `parseQrQuery` reads, as the API's document says it. */
export const QR_PARAMETERS = z.object({
  format: z.enum(FORMATS).default(FORMAT.default),
  size: z
    .int()
    .min(SIZE.min)
    .max(SIZE.max)
    .default(SIZE.default)
    .meta({
      description: `Width and height in pixels. A PNG in a saved style has at most ${STYLED_PNG_SIZE_MAX}.`,
    }),
  margin: z
    .int()
    .min(MARGIN.min)
    .max(MARGIN.max)
    .default(MARGIN.default)
    .meta({ description: 'The quiet zone around the code, in modules. Scanners expect 4.' }),
  level: z
    .enum(LEVELS)
    .default(LEVEL.default)
    .meta({ description: 'Error correction: the more, the more of the code may be covered.' }),
  color: color('The color of the modules', COLOR),
  background: color('The color behind them', BACKGROUND),
  style: z.enum(SAVED_STYLES).optional().meta({
    description:
      'Draws the code in the style of the link (`qr_style`), or of the workspace where the link has none; or in that of the workspace. Not together with `margin`, `level`, `color` or `background`.',
  }),
})

/** Reads how to draw a QR code. Throws with the errors of all parameters; ignores unknown ones. */
export function parseQrQuery(query: Record<string, string[]>): QrRequest {
  const errors: FieldErrors = {}
  // An invalid value gets the default, so that the others are still checked.
  const read = <Value>(field: string, rule: Rule<Value>): Value => {
    const [text, ...repeats] = query[field] ?? []
    if (text === undefined) return rule.default
    const value = repeats.length === 0 ? rule.parse(text) : undefined
    if (value !== undefined) return value
    errors[field] = [`The ${field} must be ${repeats.length === 0 ? rule.mustBe : 'given once'}.`]
    return rule.default
  }
  const format = read('format', FORMAT)
  const style: QrStyle = {
    size: read('size', SIZE),
    margin: read('margin', MARGIN),
    level: read('level', LEVEL),
    color: read('color', COLOR),
    background: read('background', BACKGROUND),
  }
  const saved = read('style', SAVED_STYLE)
  if (saved !== undefined) {
    for (const part of PARTS_OF_STYLE.filter((part) => query[part] !== undefined))
      errors[part] ??= [`The ${part} cannot be combined with a style.`]
    if (format === 'png' && style.size > STYLED_PNG_SIZE_MAX)
      errors.size ??= [`The size may not be greater than ${STYLED_PNG_SIZE_MAX} for a PNG in this style.`]
  }
  const colorsAreRead = !errors.color && !errors.background
  if (colorsAreRead && style.color === style.background) {
    errors.color = ['The color must differ from the background.']
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return { format, style, saved }
}

function integerBetween(
  min: number,
  max: number,
): Omit<Rule<number>, 'default'> & { min: number; max: number } {
  return {
    min,
    max,
    mustBe: `an integer between ${min} and ${max}`,
    parse(text) {
      const number = WHOLE_NUMBER.test(text) ? Number(text) : NaN
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** `#rrggbb` in lower case, from three or six digits with or without `#`. */
function parseColor(text: string): string | undefined {
  const digits = HEX_COLOR.exec(text)?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return `#${digits.length === 6 ? digits : digits.replace(/./g, '$&$&')}`
}
