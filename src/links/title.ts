/** In code points, so that an emoji is one character. */
export const TITLE_LENGTH_MAX = 255

const CONTROL = /[\x00-\x1f\x7f]/

/** What is wrong with a title; empty when nothing is. Absent titles are the caller's business. */
export function titleFaults(value: unknown): string[] {
  if (typeof value !== 'string') return ['The title must be a string.']

  const faults: string[] = []
  if ([...value].length > TITLE_LENGTH_MAX) {
    faults.push(`The title may not be greater than ${TITLE_LENGTH_MAX} characters.`)
  }
  // PostgreSQL fails on U+0000 and SQLite stores it; a lone surrogate turns into U+FFFD on both. So neither gets there.
  if (CONTROL.test(value)) faults.push('The title may not contain control characters.')
  if (!value.isWellFormed()) faults.push('The title must be well-formed Unicode.')
  return faults
}
