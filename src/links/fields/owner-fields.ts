import { z } from 'zod'
import { lineOfText, linesOfText, trueOrFalse } from '../../validation/field-rules.ts'
import { linkQrStyle, parseLinkQrStyle, qrStyleAnswer } from '../qr-style/qr-style.ts'
import { clearable, columnField, flagColumn, textAnswer, textColumn } from './link-field.ts'

export const NOTES_LENGTH_MAX = 2_000
const EXTERNAL_ID_LENGTH_MAX = 255

const FOR_THE_OWNER = {
  inBulk: false,
  isRouted: false,
  publishedKeys: 'refused',
  equal: 'ifSent',
  history: 'auditOnly',
} as const

/** What visitors do not notice. A plain link has NULL in these columns. */
export const OWNER_FIELDS = {
  archived: columnField({
    ...clearable(() => trueOrFalse, {
      description: 'Whether lists leave the link out. It goes on redirecting.',
    }),
    column: 'is_archived',
    ...flagColumn,
    answer: z.boolean().meta({ description: 'Whether lists leave the link out.', example: false }),
    ...FOR_THE_OWNER,
    inBulk: true,
    equal: 'never',
  }),
  notes: columnField({
    ...clearable(() => linesOfText(NOTES_LENGTH_MAX), { description: 'For you; visitors never see them.' }),
    column: 'notes',
    ...textColumn,
    answer: textAnswer('For you; visitors never see them.'),
    ...FOR_THE_OWNER,
  }),
  external_id: columnField({
    ...clearable(() => lineOfText(EXTERNAL_ID_LENGTH_MAX), {
      description:
        'Your own ID for the link, to find it by: `GET /api/links?external_id=`. No two links of a workspace have the same.',
    }),
    column: 'external_id',
    ...textColumn,
    answer: textAnswer('Your own ID for the link.'),
    ...FOR_THE_OWNER,
  }),
  qr_style: columnField({
    ...clearable(() => linkQrStyle, {
      description:
        'How its QR code looks: what `/qr/{short_code}?style=link` draws, and the dashboard begins with. Fields that are absent are as in a plain code; null: as the workspace says. At most 32 KB.',
    }),
    column: 'qr_style',
    isText: true,
    store: (style) => style && JSON.stringify(style),
    show: parseLinkQrStyle,
    answer: qrStyleAnswer.nullable().meta({
      description: 'How its QR code looks; null: as the workspace says.',
      example: null,
    }),
    ...FOR_THE_OWNER,
  }),
}
