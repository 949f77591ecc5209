import { randomInt } from 'node:crypto'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { CODE_LENGTH_MAX, isReserved } from './code-rules.ts'
import { type CodeStyle, PLAIN_CODE_STYLE } from './code-style.ts'
import { foldCode } from './fold-code.ts'

/** Base 62 without 0 O 1 I l: a code is read aloud and typed from paper. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGITS = '0123456789'

// One draw in about 10⁹ is a reserved word. Five in a row mean that the random source is broken.
const DRAWS_MAX = 5

/** `ignoresCase`: on a domain whose codes are folded. */
type NewCode = { codeStyle?: CodeStyle | undefined; ignoresCase?: boolean | undefined }

/** An unpredictable code that is not a reserved word. Whether it is free, the unique index decides. `longerBy`: where shorter ones were taken. */
export function newCode({ codeStyle = PLAIN_CODE_STYLE, ignoresCase = false }: NewCode = {}, longerBy = 0) {
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const drawn = drawCode(codeStyle, longerBy + Number(ignoresCase))
    const code = ignoresCase ? foldCode(drawn) : drawn
    if (!isReserved(code)) return code
  }
  throw new Error(`${DRAWS_MAX} random codes in a row were reserved words`)
}

function drawCode({ characters, length, prefix }: CodeStyle, longerBy: number): string {
  // With 2,048 words, one more is never missed.
  if (characters === 'words') return prefix + drawn(wordlist, Math.min(length, wordsBehind(prefix))).join('-')
  const alphabet = characters === 'digits' ? DIGITS : CODE_ALPHABET
  const count = Math.min(length + longerBy, CODE_LENGTH_MAX - prefix.length)
  return prefix + drawn(alphabet, count).join('')
}

const WORD_LENGTH_MAX = 8

/** Keys may have longer prefixes than workspaces. */
const wordsBehind = (prefix: string): number =>
  Math.floor((CODE_LENGTH_MAX - prefix.length + 1) / (WORD_LENGTH_MAX + 1))

// randomInt is a CSPRNG and free of modulo bias by its documentation (Node.js, crypto.randomInt).
const drawn = (choices: ArrayLike<string>, count: number): string[] =>
  Array.from({ length: count }, () => choices[randomInt(choices.length)]!)
