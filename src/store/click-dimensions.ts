/** Dimensions that add up to all clicks in the kept counters of a workspace. */
export const WHOLE_DIMENSIONS = ['country', 'device', 'browser', 'os', 'referrer'] as const

/**
 * What is known of every counted click: a text each, '' where unknown. Of a bot only its name is kept, as its browser. The one list of
 * them: columns of `clicks`, what is counted by the hour for a workspace, what reports break down, what an export has.
 */
export const DIMENSIONS = [
  ...WHOLE_DIMENSIONS,
  'language',
  'via',
  'variant',
  'alias',
  'region',
  'city',
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
