/** What two texts have in common at their starts and ends, and what differs between them: whole words. */
export type ChangedPart = { start: string; before: string; after: string; end: string }

export function changedPart(before: string, after: string): ChangedPart {
  // Characters, not UTF-16 units: half of an emoji is nothing to show.
  const [old, now] = [[...before], [...after]]
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start++
  while (isInWord(old, start) || isInWord(now, start)) start--
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++
  while (isInWord(old, old.length - end) || isInWord(now, now.length - end)) end--
  const between = (text: string[]) => text.slice(start, text.length - end).join('')
  return {
    start: old.slice(0, start).join(''),
    before: between(old),
    after: between(now),
    end: old.slice(old.length - end).join(''),
  }
}

const WORD = /[\p{L}\p{N}]/u
/** Whether the place before that character is within a word. */
const isInWord = (text: string[], at: number): boolean =>
  at > 0 && at < text.length && WORD.test(text[at - 1]!) && WORD.test(text[at]!)
