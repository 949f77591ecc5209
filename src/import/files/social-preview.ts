import { SOCIAL_DESCRIPTION_LENGTH_MAX, SOCIAL_TITLE_LENGTH_MAX } from '../../links/fields/visitor-fields.ts'
import type { FieldReader } from './field-reader.ts'

const isUpTo = (max: number) => (text: string) => [...text].length <= max

/** What fits here. */
const PARTS = [
  { name: 'title', field: 'social_title', fits: isUpTo(SOCIAL_TITLE_LENGTH_MAX) },
  { name: 'description', field: 'social_description', fits: isUpTo(SOCIAL_DESCRIPTION_LENGTH_MAX) },
  { name: 'image', field: 'social_image_url', fits: (url: string) => url.startsWith('https://') },
]

/** The card that other sites show for the link, as fields of the API. */
export const socialPreview = (fields: FieldReader): Record<string, string> =>
  Object.fromEntries(
    PARTS.flatMap(({ name, field, fits }) => {
      const text = fields.text(name)
      if (text === undefined) return []
      if (fits(text)) return [[field, text]]
      fields.lost.push(`The ${name} of its previews does not fit here, so it is left out.`)
      return []
    }),
  )
