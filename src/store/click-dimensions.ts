/** Dimensions that add up to all clicks in the kept counters of a workspace. */
export const WHOLE_DIMENSIONS = [
  /** ISO 3166 alpha-2. */
  'country',
  /** desktop, mobile, tablet or other. */
  'device',
  'browser',
  'os',
  /** Host name only. */
  'referrer',
] as const

/**
 * What is known of every counted click: a text each, '' where unknown. Of a bot only its name is kept, as its browser. The one list of
 * them: columns of `clicks`, what is counted by the hour for a workspace, what reports break down, what an export has.
 */
export const DIMENSIONS = [
  ...WHOLE_DIMENSIONS,
  /** Primary subtag of the browser's first language. */
  'language',
  /** link, qr or preview. */
  'via',
  /** Which of the link's destinations was chosen; '' for its plain one. */
  'variant',
  /** The code that was opened, if it is not the link's own. */
  'alias',
  /** Only with a database of cities. */
  'region',
  /** With what it is in: `Springfield, Illinois, US`. */
  'city',
  /** The UTM parameters with which the short URL was opened, where the workspace counts them (`src/links/utm-text.ts`). */
  'utm',
] as const

export type Dimension = (typeof DIMENSIONS)[number]
export type ClickDimensions = Record<Dimension, string>

/**
 * What most clicks have: a link's plain destination, its short URL, an unknown language, its own code, an unknown city, no UTM parameters
 * of their own. No kept counter has a row for it: it is the rest.
 */
export const COMMON_VALUES: Partial<ClickDimensions> = {
  language: '',
  via: 'link',
  variant: '',
  alias: '',
  region: '',
  city: '',
  utm: '',
}
