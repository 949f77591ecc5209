import { randomInt } from 'node:crypto'
import { isReserved } from './code-rules.ts'
import { foldCode } from './fold-code.ts'

/** Base 62 without 0 O 1 I l: a code is read aloud and typed from paper. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** 57⁷ are 1.9e12 codes: at ten million links a guess hits once in 195,000. */
export const ASSIGNED_CODE_LENGTH = 7

// One draw in about 10⁹ is a reserved word. Five in a row mean that the random source is broken.
const DRAWS_MAX = 5

/** One more character makes up for the letters that are the same without case. */
export const newCode = (ignoresCase = false, length = ASSIGNED_CODE_LENGTH): string =>
  ignoresCase ? foldCode(randomCode(length + 1)) : randomCode(length)

/** An unpredictable code that is not a reserved word. Whether it is free, the unique index decides. */
export function randomCode(length = ASSIGNED_CODE_LENGTH): string {
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const code = drawCode(length)
    if (!isReserved(code)) return code
  }
  throw new Error(`${DRAWS_MAX} random codes in a row were reserved words`)
}

// randomInt is a CSPRNG and free of modulo bias by its documentation (Node.js, crypto.randomInt).
function drawCode(length: number): string {
  let code = ''
  while (code.length < length) code += CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]
  return code
}
