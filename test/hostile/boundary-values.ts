import type { Schema } from './operations.ts'

const WHOLE_NUMBERS = [0, -1, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 53)]
const BEYOND_NUMBERS = [
  '9223372036854775807',
  '9223372036854775808',
  '1e309',
  '-1e309',
  '1e-400',
  '-0',
  '1.0',
]

/** Texts at, just under and just over every bound that the schema sets. */
export function boundaryTexts(schema: Schema): string[] {
  const start = schema.format === 'uri' ? 'https://example.com/' : ''
  const texts = lengthsOf(schema).map((length) => start.padEnd(length, 'a').slice(0, length))
  const choices = (schema.enum ?? [])
    .map(String)
    .flatMap((choice) => [choice, choice.toUpperCase(), `${choice} `])
  return [...texts, ...choices, ...numbersOf(schema)]
}

/** The same as JSON, and values of every type that the schema does not say. */
export function boundaryJson(schema: Schema): string[] {
  const ofOtherTypes = ['null', 'true', '"true"', '0', '[]', '{}', '[[]]', '""', '[null]', '{"a":{}}']
  return [...ofOtherTypes, ...numbersOf(schema), ...boundaryTexts(schema).map((text) => JSON.stringify(text))]
}

/** The bounds of a text stand in `maxLength`, or in the pattern as `{3,64}`. */
function lengthsOf({ maxLength, pattern = '' }: Schema): number[] {
  const [, least, most] = /\{(\d+),(\d+)\}/.exec(pattern) ?? []
  const bounds = [least, most, maxLength].filter((bound) => bound !== undefined).map(Number)
  return [0, 1, ...bounds.flatMap((bound) => [bound - 1, bound, bound + 1, bound * 2])]
}

function numbersOf({ minimum, maximum }: Schema): string[] {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined)
  const around = bounds.flatMap((bound) => [bound - 1, bound, bound + 1])
  return [...[...around, ...WHOLE_NUMBERS].map(String), ...BEYOND_NUMBERS]
}
