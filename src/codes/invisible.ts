/**
 * For a class of a regular expression with the flag `u`: characters that nobody sees. Zero-width spaces, soft hyphens, marks of
 * direction, fillers, and the braille pattern without dots.
 */
export const INVISIBLE = String.raw`\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`

const UNSEEN = String.raw`\s\p{Cc}${INVISIBLE}`
/** An emoji with its selector, or a flag with its tags, would be another character without them. */
const LAST = String.raw`(?:\p{Extended_Pictographic}[\uFE0E\uFE0F\u{E0020}-\u{E007F}]+|[^${UNSEEN}])`
/** From the first visible character to the last one, in linear time: nothing is tried twice. */
const VISIBLE_PART = new RegExp(`[^${UNSEEN}].*${LAST}|[^${UNSEEN}]`, 'su')

/** Without spaces, controls and characters that nobody sees at both ends: they were pasted along. */
export const trimmed = (text: string): string => VISIBLE_PART.exec(text)?.[0] ?? ''
