import { type JsonObject } from './json-pages.ts'
import type { SourceLink } from '../source.ts'
import { readTime } from './read-date.ts'
import { storedPassword } from './stored-password.ts'
import { isObject } from '../../validation/is-object.ts'
import { BCRYPT } from '../../validation/bcrypt.ts'

const SHOWN_LENGTH_MAX = 80

/** As programs and spreadsheets write thousands: `1,065`, `1.065`, `1 065`, `1’065`, and in India `1,23,456`. */
const IN_THREES = /^(?:\d{1,3}([.,\s'’])\d{3}(?:\1\d{3})*|\d{1,2}(?:,\d\d)+,\d{3})$/
/** Decimals that are none: `12.0`. Three zeros are thousands. */
const ZEROS = /[.,]0(?:0|0{3,})?$/

/** Undefined if it is none. */
export function wholeNumber(text: string): number | undefined {
  const whole = text.replace(ZEROS, '')
  const digits = IN_THREES.test(whole) ? whole.replace(/\D/g, '') : whole
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

/** Reads the fields of a link. `lost` gets a sentence for each that is there and cannot be read. */
export class FieldReader {
  readonly fields: JsonObject
  readonly lost: string[]

  constructor(fields: JsonObject, lost: string[] = []) {
    this.fields = fields
    this.lost = lost
  }

  /** A text or a number as a text. Undefined without one, and for an empty text. */
  text(name: string): string | undefined {
    const value = this.fields[name]
    if (typeof value === 'number') return String(value)
    if (typeof value === 'string') return value === '' ? undefined : value
    return this.#unread(name, value, 'text')
  }

  /** Whole numbers are also written with separators: `"1,065"`. */
  number(name: string): number | undefined {
    const text = this.text(name)
    return text === undefined
      ? undefined
      : (wholeNumber(text) ?? this.#unread(name, this.fields[name], 'whole number'))
  }

  /** As ISO 8601 in UTC. */
  time(name: string): string | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : readTime(text, this.lost)
  }

  /** Databases have 1 for true. */
  isSet(name: string): boolean {
    return this.fields[name] === true || this.fields[name] === 1
  }

  /** One that is there and no text is unknown, as is one that is `hidden`. */
  password(name: string, hidden?: RegExp): ReturnType<typeof storedPassword> {
    const value = this.fields[name]
    const isText = (typeof value === 'string' && hidden?.test(value) !== true) || typeof value === 'number'
    if (!isText) return { hasUnknownPassword: Boolean(value) }
    const text = this.text(name)
    return text === undefined ? {} : storedPassword(text)
  }

  /** What is there and is no hash of bcrypt is unknown. */
  passwordHash(name: string): Pick<SourceLink, 'passwordHash' | 'hasUnknownPassword'> {
    const value = this.fields[name]
    const isHash = typeof value === 'string' && BCRYPT.test(value)
    return isHash ? { passwordHash: value } : { hasUnknownPassword: Boolean(value) }
  }

  /** A list of texts, or of objects that have a name. */
  names(name: string): string[] {
    const list = this.fields[name] ?? []
    if (!Array.isArray(list)) this.#unread(name, list, 'list')
    return Array.isArray(list) ? list.flatMap((each, at) => this.#nameOf(name, each, at) ?? []) : []
  }

  #nameOf(name: string, each: unknown, at: number): string | undefined {
    const fields = isObject(each) ? each : { name: each }
    return new FieldReader({ [`${name} ${at + 1}`]: fields.name }, this.lost).text(`${name} ${at + 1}`)
  }

  /** An object in the object. It is empty if there is none; PHP writes an empty one as a list. */
  part(name: string): FieldReader {
    const part = this.fields[name]
    if (!isObject(part) && !(Array.isArray(part) && part.length === 0)) this.#unread(name, part, 'object')
    return new FieldReader(isObject(part) ? part : {}, this.lost)
  }

  /** The sentences of those that have a value. */
  sentences(table: readonly (readonly [field: string, sentence: string])[]): string[] {
    return table.flatMap(([field, sentence]) => (this.fields[field] ? [sentence] : []))
  }

  #unread(name: string, value: unknown, what: string): undefined {
    if (value == null) return undefined
    const shown = JSON.stringify(value).slice(0, SHOWN_LENGTH_MAX)
    this.lost.push(`Its ${name} ${shown} is no ${what}, so it is left out.`)
  }
}
