import { isReserved } from './reserved.ts'

export const CODE_LENGTH_MIN = 3
export const CODE_LENGTH_MAX = 64

const CODE = new RegExp(`^[A-Za-z0-9_-]{${CODE_LENGTH_MIN},${CODE_LENGTH_MAX}}$`)
const CODE_CHARACTERS = /^[A-Za-z0-9_-]*$/

/** Whether a link can have this code at all. Asked for every path on the way of a redirect, before any look-up. */
export const couldBeCode = (text: string): boolean => CODE.test(text)

/** What is wrong with a code that a client chose; empty when nothing is. Whether it is taken, the unique index judges. */
export function customCodeFaults(value: unknown): string[] {
  if (typeof value !== 'string') return ['The custom code must be a string.']

  const faults: string[] = []
  if (value.length < CODE_LENGTH_MIN || value.length > CODE_LENGTH_MAX) {
    faults.push(`The custom code must be between ${CODE_LENGTH_MIN} and ${CODE_LENGTH_MAX} characters.`)
  }
  if (!CODE_CHARACTERS.test(value)) {
    faults.push('The custom code may only contain letters, numbers, dashes and underscores.')
  }
  if (faults.length === 0 && isReserved(value)) faults.push('The custom code is reserved.')
  return faults
}
