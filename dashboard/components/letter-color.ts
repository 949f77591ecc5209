const LETTER_COLORS = 6

/** The color of the letter for a name: no favicon is fetched from a third party. */
export function letterColor(name: string): string {
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return `var(--data-${(sum % LETTER_COLORS) + 1})`
}
