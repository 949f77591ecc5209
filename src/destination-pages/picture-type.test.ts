import { expect, test } from 'bun:test'
import { pictureType } from './picture-type.ts'

const typeOf = (start: string) => pictureType(Buffer.from(`${start}${'.'.repeat(40)}`, 'latin1'))

test('a picture is known by its first bytes', () => {
  expect(typeOf('\x89PNG\r\n\x1a\n')).toBe('image/png')
  expect(typeOf('\xff\xd8\xff\xe0')).toBe('image/jpeg')
  expect(typeOf('RIFF\n\x01\x02\x03WEBPVP8 ')).toBe('image/webp')
})

test('nothing else is a picture', () => {
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '<?xml version="1.0"?><svg>',
    '<!doctype html>',
    'GIF89a',
  ]
  others.push('BM', '\0\0\x01\0', 'RIFF1234WAVE', '%PDF-1.7', ' \x89PNG\r\n\x1a\n', '\x89PNG', '')
  for (const start of others) expect([start, typeOf(start)]).toEqual([start, undefined])
})
