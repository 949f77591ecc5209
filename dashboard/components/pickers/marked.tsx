import type { ReactNode } from 'react'

type MarkedProps = {
  text: string
  /** Words in any order. */
  search: string
}

/** A text with the words of a search marked. Nodes, because the policy allows no text as markup. */
export function Marked({ text, search }: MarkedProps): ReactNode {
  const words = search.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return text
  // The longest first: of "win" and "winter", both may begin at the same place.
  const pattern = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join('|')
  return text
    .split(new RegExp(`(${pattern})`, 'giu'))
    .map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))
}
