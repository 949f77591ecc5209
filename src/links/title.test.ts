import { expect, test } from 'bun:test'
import { titleFaults } from './title.ts'

const NOT_A_STRING = 'The title must be a string.'
const LENGTH = 'The title may not be greater than 255 characters.'
const CONTROL = 'The title may not contain control characters.'
const UNICODE = 'The title must be well-formed Unicode.'

test('text of up to 255 characters is fine, in any script', () => {
  const scripts = ['Spring sale', 'Été à Zürich', '日本語', 'مرحبا', '👩‍👩‍👧 family']
  for (const title of ['', ...scripts, '<b>"bold" & more</b>', 'x'.repeat(255)]) {
    expect(titleFaults(title)).toEqual([])
  }
})

test('an emoji counts as one character', () => {
  expect(titleFaults('😀'.repeat(255))).toEqual([])
  expect(titleFaults('😀'.repeat(256))).toEqual([LENGTH])
})

test('a title of 256 characters is refused', () => {
  expect(titleFaults('x'.repeat(256))).toEqual([LENGTH])
})

test('anything but a string is refused', () => {
  for (const value of [undefined, null, 7, false, ['Spring sale'], { title: 'Spring sale' }]) {
    expect(titleFaults(value)).toEqual([NOT_A_STRING])
  }
})

test('every C0 control and DEL is refused', () => {
  const controls = [...Array.from({ length: 32 }, (_, code) => code), 0x7f]
  for (const code of controls)
    expect(titleFaults(`Spring${String.fromCharCode(code)}sale`)).toEqual([CONTROL])
})

test('a lone surrogate is refused', () => {
  for (const half of ['\ud800', '\udc00']) expect(titleFaults(`Spring ${half}`)).toEqual([UNICODE])
})

test('a title with two faults is told both', () => {
  expect(titleFaults('\n'.repeat(256))).toEqual([LENGTH, CONTROL])
})
