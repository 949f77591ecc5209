import { describe, expect, test } from 'bun:test'
import { nameOf, parseLocation } from './move-location.ts'

const URL_OF_SETTING = 'postgres://tern:hunter2@db.example.com:6432/tern'

describe('a place', () => {
  test('is a data folder, an address, or what the setting says', () => {
    expect(parseLocation('sqlite:/var/lib/tern', undefined)).toEqual({
      engine: 'sqlite',
      dataDir: '/var/lib/tern',
    })
    expect(parseLocation('sqlite:data', undefined)).toEqual({
      engine: 'sqlite',
      dataDir: `${process.cwd()}/data`,
    })
    expect(parseLocation('postgresql://db/tern', undefined)).toEqual({
      engine: 'postgres',
      url: 'postgresql://db/tern',
    })
    expect(parseLocation('DATABASE_URL', URL_OF_SETTING)).toEqual({ engine: 'postgres', url: URL_OF_SETTING })
  })

  test.each([undefined, '', 'sqlite:', '/var/lib/tern', 'mysql://db/tern', 'postgres://'])(
    'is refused when it is none: %p',
    (text) => {
      expect(() => parseLocation(text, URL_OF_SETTING)).toThrow('Write a store as sqlite:<data folder>')
    },
  )

  test('that is the setting is refused when that is not set', () => {
    expect(() => parseLocation('DATABASE_URL', undefined)).toThrow('DATABASE_URL is not set.')
  })

  test('is named without user and password', () => {
    expect(nameOf(parseLocation('sqlite:/var/lib/tern', undefined))).toBe('sqlite:/var/lib/tern')
    expect(nameOf(parseLocation('DATABASE_URL', URL_OF_SETTING))).toBe('postgres://db.example.com:6432/tern')
  })
})
