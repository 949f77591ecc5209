import { isObject } from '../../validation/is-object.ts'
import type { SourceLink } from '../source.ts'
import { wholeNumber } from './field-reader.ts'
import { parsedJson } from './json-pages.ts'
import { storedPassword } from './stored-password.ts'

// What the cells of tables mean, as databases, spreadsheets and people write it.

/** How databases and reports write that there is no value. */
export const isNone = (text: string): boolean => /^(?:null|\\N|#?n\/a|[-–—])$/i.test(text)

/** A limit of 0 would be a link that never opens: where it is written, it means none. */
export const limitIn = (text: string): number | undefined => wholeNumber(text) || undefined

const YES = new Set('yes true ja wahr oui vrai sí si verdadero'.split(' '))
const NO = new Set('no none false nein falsch non faux falso'.split(' '))
const MARKED = new Set('y 1 on x archived'.split(' '))
const UNMARKED = new Set('n 0 off active'.split(' '))

/** What a cell of yes and no says. Undefined if it says neither. */
export function answerIn(text: string): boolean | undefined {
  const word = text.toLowerCase()
  return YES.has(word) || MARKED.has(word) || (NO.has(word) || UNMARKED.has(word) ? false : undefined)
}

/** Some programs write the password, others its hash, and others whether there is one. */
export function passwordIn(
  text: string | undefined,
): Pick<SourceLink, 'password' | 'passwordHash' | 'hasUnknownPassword'> {
  const word = text?.toLowerCase() ?? ''
  if (text === undefined || NO.has(word)) return {}
  return YES.has(word) ? { hasUnknownPassword: true } : storedPassword(text)
}

/** A list in JSON, an array of PostgreSQL, or values between separators. */
export function listIn(text: string, separator: string | RegExp): string[] {
  const values = jsonList(text) ?? arrayOfPostgres(text) ?? text.split(separator)
  return values.map((value) => value.trim()).filter((value) => value !== '')
}

/** Longer texts may have more lists in each other than are parsed in a moment. */
const JSON_LENGTH_MAX = 10_000

/** Of texts, or of objects that have a name. */
function jsonList(text: string): string[] | undefined {
  const list = text.startsWith('[') && text.length <= JSON_LENGTH_MAX ? parsedJson(text)?.value : undefined
  return Array.isArray(list)
    ? list.flatMap((each) => {
        const value: unknown = isObject(each) ? each.name : each
        return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
      })
    : undefined
}

/** `{one,"two, three"}` */
function arrayOfPostgres(text: string): string[] | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined
  const values = ['']
  let isQuoted = false
  for (let at = 1; at < text.length - 1; at++) {
    const character = text[at]!
    if (character === '"') isQuoted = !isQuoted
    else if (character === ',' && !isQuoted) values.push('')
    else if (character === '\\' && isQuoted) values.push(values.pop()! + text[++at]!)
    else values.push(values.pop()! + character)
  }
  return values
}
