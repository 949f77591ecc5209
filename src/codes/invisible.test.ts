import { expect, test } from 'bun:test'
import { trimmed } from './invisible.ts'

test.each([
  ['\u200b\ufeff a b \r\n\u2060', 'a b'],
  ['\xad\u3164\u2800x\u202e\0', 'x'],
  ['a\u200bb', 'a\u200bb'],
  ['\u2764\ufe0f \u2764\ufe0f\ufeff', '\u2764\ufe0f \u2764\ufe0f'],
  ['a\ufe0f', 'a'],
  [' \u200b\t', ''],
  ['', ''],
])('%j without what nobody sees at its ends is %j', (text, rest) => expect(trimmed(text)).toBe(rest))
