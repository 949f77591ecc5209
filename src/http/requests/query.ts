import { invalid } from '../../errors/refusal.ts'

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
export function choiceParameter<Word extends string>(
  query: Query,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const text = textParameter(query, name) ?? words[0]
  const word = words.find((each) => each === text)
  if (word === undefined)
    throw invalid({ [name]: [`The ${readable(name)} must be one of ${words.join(', ')}.`] })
  return word
}

const readable = (name: string) => name.replaceAll('_', ' ')
