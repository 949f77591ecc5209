/**
 * What is known of every counted click: a text each, '' where unknown. Of a bot nothing is kept. The one list of them: columns of
 * `clicks`, what is counted by the hour for a workspace, what reports break down, what an export has.
 */
export const DIMENSIONS = [
  ...(['country', 'device', 'browser', 'os', 'referrer'] as const),
  ...(['language', 'via', 'variant', 'alias'] as const),
] as const

export type Dimension = (typeof DIMENSIONS)[number]
export type ClickDimensions = Record<Dimension, string>

/**
 * Dimensions that most clicks have the same value in: a link's plain destination, its short URL, an unknown language, its own code.
 * No kept counter has a row for that value: it is the rest.
 */
export const COMMON_VALUES: Partial<ClickDimensions> = { language: '', via: 'link', variant: '', alias: '' }

/** Those that add up to all clicks in the kept counters. */
export const WHOLE_DIMENSIONS = DIMENSIONS.filter((name) => COMMON_VALUES[name] === undefined)
