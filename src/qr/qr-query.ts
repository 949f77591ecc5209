import { z } from 'zod'
import { fieldErrorsOf } from '../errors/field-errors.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { isNumeric } from '../validation/query-parameters.ts'
import type { QrStyle } from './draw-qr.ts'

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,5})$/
const HEX_COLOR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i

/** A PNG with a logo takes ten times the work of a plain one. In pixels. */
const STYLED_PNG_SIZE_MAX = 1024
/** Which a saved style decides. */
const PARTS_OF_STYLE = ['margin', 'level', 'color', 'background'] as const

const NO_LEVEL = 'The :attribute must be one of L, M, Q and H.'

function integerBetween(min: number, max: number) {
  const outside = `The :attribute must be an integer between ${min} and ${max}.`
  return z.int(outside).min(min, outside).max(max, outside)
}

/** `#rrggbb` in lower case, from three or six digits with or without `#`. */
const color = (description: string, value: string) =>
  z
    .string()
    .transform((text, context) => {
      const digits = HEX_COLOR.exec(text)?.[1]?.toLowerCase()
      if (digits !== undefined) return `#${digits.length === 6 ? digits : digits.replace(/./g, '$&$&')}`
      context.addIssue('The :attribute must be a hexadecimal color such as #1a2b3c.')
      return z.NEVER
    })
    .default(value)
    .meta({ description: `${description}: three or six hexadecimal digits, with or without #.` })

/** The parameters of QR codes: their documentation, and how they are read. */
export const QR_PARAMETERS = z.object({
  format: z.enum(['svg', 'png'], 'The :attribute must be svg or png.').default('svg'),
  // Phones cannot read smaller codes, and larger images have no use.
  size: integerBetween(64, 2048)
    .default(256)
    .meta({
      description: `Width and height in pixels. A PNG in a saved style has at most ${STYLED_PNG_SIZE_MAX}.`,
    }),
  // The standard requires 4 (ISO/IEC 18004, 5.3.8).
  margin: integerBetween(0, 16)
    .default(4)
    .meta({ description: 'The quiet zone around the code, in modules. Scanners expect 4.' }),
  level: z
    .preprocess((text) => String(text).toUpperCase(), z.enum(['L', 'M', 'Q', 'H'], NO_LEVEL))
    .default('M')
    .meta({ description: 'Error correction: the more, the more of the code may be covered.' }),
  color: color('The color of the modules', '#000000'),
  background: color('The color behind them', '#ffffff'),
  style: z.enum(['link', 'workspace'], 'The :attribute must be link or workspace.').optional().meta({
    description:
      'Draws the code in the style of the link (`qr_style`), or of the workspace where the link has none; or in that of the workspace. Not together with `margin`, `level`, `color` or `background`.',
  }),
})

type Parameters = z.output<typeof QR_PARAMETERS>

/** `saved`: whose style; undefined for a code that is drawn as `style` says. */
export type QrRequest = { format: Parameters['format']; style: QrStyle; saved: Parameters['style'] }

/** Reads how to draw a QR code. Throws with the errors of all parameters; ignores unknown ones. */
export function parseQrQuery(query: Record<string, string[]>): QrRequest {
  const repeated: FieldErrors = {}
  const texts: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(QR_PARAMETERS.shape)) {
    const [text, ...repeats] = query[name] ?? []
    if (repeats.length > 0) repeated[name] = [`The ${name} must be given once.`]
    else
      texts[name] = text !== undefined && isNumeric(schema) && WHOLE_NUMBER.test(text) ? Number(text) : text
  }
  const { data, error } = QR_PARAMETERS.safeParse(texts)
  const errors = { ...fieldErrorsOf(error?.issues ?? []), ...repeated }
  if (data === undefined || Object.keys(errors).length > 0) throw invalid(errors)
  const { format, style: saved, ...style } = data
  refuseCombinations(data, query)
  return { format, style, saved }
}

function refuseCombinations({ format, size, color, background, style }: Parameters, query: object): void {
  const errors: FieldErrors = {}
  if (style !== undefined) {
    for (const part of PARTS_OF_STYLE.filter((part) => part in query))
      errors[part] = [`The ${part} cannot be combined with a style.`]
    if (format === 'png' && size > STYLED_PNG_SIZE_MAX)
      errors.size = [`The size may not be greater than ${STYLED_PNG_SIZE_MAX} for a PNG in this style.`]
  }
  if (color === background) errors.color = ['The color must differ from the background.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
