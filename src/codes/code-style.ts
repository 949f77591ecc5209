/** What is in a code that is assigned. */
export const CODE_CHARACTERS_CHOICES = ['letters_and_digits', 'digits', 'words'] as const

/** How codes of a workspace are made. */
export type CodeStyle = {
  characters: (typeof CODE_CHARACTERS_CHOICES)[number]
  /** Of the part behind the prefix: its characters, or its words. */
  length: number
  prefix: string
}

/** How long codes may be. Shorter ones could be guessed one after the other. */
export const CODE_STYLE_LENGTHS = {
  letters_and_digits: { min: 4, max: 32 },
  digits: { min: 5, max: 32 },
  words: { min: 2, max: 5 },
} as const satisfies Record<CodeStyle['characters'], { min: number; max: number }>

/** Five words of eight letters with their hyphens leave so much of a code. */
export const CODE_PREFIX_LENGTH_MAX = 20

/** 57⁷ are 1.9e12 codes: at ten million links a guess hits once in 195,000. */
export const PLAIN_CODE_STYLE: CodeStyle = { characters: 'letters_and_digits', length: 7, prefix: '' }
