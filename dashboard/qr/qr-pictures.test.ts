import { expect, test } from 'bun:test'
import { qrStyle } from '../../src/links/qr-style/qr-style.ts'
import { PLAIN_STYLE } from './qr-pictures.ts'

test('the plain style is what the server reads from one without fields', () => {
  expect(PLAIN_STYLE).toEqual(qrStyle.parse({}))
})
