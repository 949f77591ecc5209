import { validated } from '../../errors/field-errors.ts'
import { invalid } from '../../errors/refusal.ts'
import { time } from '../../validation/field-rules.ts'

/** All values of each parameter. The endpoints decide about repeated ones. */
export type Query = Record<string, string[]>

export function readQuery(target: string): Query {
  const query: Query = Object.create(null)
  const at = target.indexOf('?')
  if (at === -1) return query
  for (const [name, value] of new URLSearchParams(target.slice(at + 1))) (query[name] ??= []).push(value)
  return query
}

/** Undefined if it is absent or empty, refused if it is repeated. */
export function textParameter(query: Query, name: string): string | undefined {
  const values = query[name] ?? []
  if (values.length > 1) throw invalid({ [name]: [`The ${readable(name)} may be given only once.`] })
  return values[0] === '' ? undefined : values[0]
}

/** A whole number of at least 1, clamped to the maximum. */
export function countParameter(query: Query, name: string, bounds: { default: number; max: number }): number {
  const text = textParameter(query, name)
  if (text === undefined) return bounds.default
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1) {
    throw invalid({ [name]: [`The ${readable(name)} must be an integer of at least 1.`] })
  }
  return Math.min(number, bounds.max)
}

/** One of a few words. The first is the default. */
export const choiceParameter = <Word extends string>(
  query: Query,
  name: string,
  words: readonly [Word, ...Word[]],
): Word => someChoiceParameter(query, name, words) ?? words[0]

/** One of a few words, or undefined. */
export function someChoiceParameter<Word extends string>(
  query: Query,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = textParameter(query, name)
  const word = words.find((each) => each === text)
  if (text !== undefined && word === undefined)
    throw invalid({ [name]: [`The ${readable(name)} must be one of ${words.join(', ')}.`] })
  return word
}

/** More values than anyone chooses by hand. */
const VALUES_MAX = 50
const VALUE_LENGTH_MAX = 255

/** The distinct values of a parameter that may be repeated; undefined if there are none. */
function valuesOf(query: Query, name: string, max = VALUES_MAX): string[] | undefined {
  const values = [...new Set(query[name] ?? [])].filter((value) => value !== '')
  if (values.length > max)
    throw invalid({ [name]: [`The ${readable(name)} may not be given more than ${max} times.`] })
  return values.length === 0 ? undefined : values
}

/** Any texts. */
export function textsParameter(query: Query, name: string): string[] | undefined {
  const values = valuesOf(query, name)
  for (const value of values ?? []) {
    if (value.length > VALUE_LENGTH_MAX)
      throw invalid({
        [name]: [`The ${readable(name)} may not be greater than ${VALUE_LENGTH_MAX} characters.`],
      })
    if (value.includes('\0') || !value.isWellFormed())
      throw invalid({ [name]: [`The ${readable(name)} must be well-formed text.`] })
  }
  return values
}

/** Some of a few words. */
export function choicesParameter<Word extends string>(
  query: Query,
  name: string,
  words: readonly Word[],
): Word[] | undefined {
  const values = valuesOf(query, name)
  if (values?.some((value) => !words.includes(value as Word)))
    throw invalid({ [name]: [`The ${readable(name)} must be one of ${words.join(', ')}.`] })
  return values as Word[] | undefined
}

/** Ids, as lists show them. */
export function idsParameter(query: Query, name: string, max = VALUES_MAX): number[] | undefined {
  const values = valuesOf(query, name, max)
  if (values?.some((value) => !/^[1-9]\d{0,14}$/.test(value)))
    throw invalid({ [name]: [`The ${readable(name)} must be an integer of at least 1.`] })
  return values?.map(Number)
}

/** A time in ISO 8601 with its zone, in microseconds. */
export function timeParameter(query: Query, name: string): number | undefined {
  const text = textParameter(query, name)
  if (text === undefined) return undefined
  return validated(time, text, [name])
}

const readable = (name: string) => name.replaceAll('_', ' ')
