import { describe, expect, test } from 'bun:test'
import { nameOf, readPlace } from './move-place.ts'

const URL_OF_SETTING = 'postgres://tern:hunter2@db.example.com:6432/tern'

describe('a place', () => {
  test('is a data folder, an address, or what the setting says', () => {
    expect(readPlace('sqlite:/var/lib/tern', undefined)).toEqual({
      engine: 'sqlite',
      dataDir: '/var/lib/tern',
    })
    expect(readPlace('sqlite:data', undefined)).toEqual({
      engine: 'sqlite',
      dataDir: `${process.cwd()}/data`,
    })
    expect(readPlace('postgresql://db/tern', undefined)).toEqual({
      engine: 'postgres',
      url: 'postgresql://db/tern',
    })
    expect(readPlace('DATABASE_URL', URL_OF_SETTING)).toEqual({ engine: 'postgres', url: URL_OF_SETTING })
  })

  test.each([undefined, '', 'sqlite:', '/var/lib/tern', 'mysql://db/tern', 'postgres://'])(
    'is refused when it is none: %p',
    (text) => {
      expect(() => readPlace(text, URL_OF_SETTING)).toThrow('Write a store as sqlite:<data folder>')
    },
  )

  test('that is the setting is refused when that is not set', () => {
    expect(() => readPlace('DATABASE_URL', undefined)).toThrow('DATABASE_URL is not set.')
  })

  test('is named without user and password', () => {
    expect(nameOf(readPlace('sqlite:/var/lib/tern', undefined))).toBe('sqlite:/var/lib/tern')
    expect(nameOf(readPlace('DATABASE_URL', URL_OF_SETTING))).toBe('postgres://db.example.com:6432/tern')
  })
})
