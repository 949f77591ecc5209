import { describe, expect, test } from 'bun:test'
import {
  type Click,
  CLICK_BYTES_MAX,
  encodeClick,
  formatOf,
  REFERRER_CHARS_MAX,
  USER_AGENT_CHARS_MAX,
} from './click.ts'
import { CODE_BYTES_MAX } from '../../codes/unusual-code.ts'
import { decodeClick } from './decode-click.ts'
import { type ClickExtras, VARIANT_CHARS_MAX } from './click-extras.ts'

describe('a click', () => {
  test('is never larger than its bound', () => {
    expect(encoded(largest)).toHaveLength(CLICK_BYTES_MAX)
    const longer = { ...largest, userAgent: largest.userAgent + 'more', referrer: largest.referrer + 'more' }
    expect(decodeClick(encoded(longer))).toEqual(largest)
  })

  test('without extras is written byte for byte as format 1 has always had it', () => {
    const click = {
      ...smallest,
      linkId: 7,
      visitor: 5,
      country: 'NZ',
      userAgent: 'A/1',
      referrer: 'b.example',
    }
    expect(encoded(click).toString('hex')).toBe(
      '010000000000001c40000000000000f03f00000000000000000000000000001440' +
        '4e5a0300412f3109622e6578616d706c65',
    )
    const all = [undefined, extras, byAlias, ofCity]
    expect(all.map((some) => formatOf({ ...click, extras: some }))).toEqual([1, 2, 3, 4])
  })

  test('with extras but no alias is written byte for byte as format 2 has always had it', () => {
    const some = { ...smallest, linkId: 7, country: 'NZ', extras }
    const bytes =
      '030000000000001c40000000000000f03f000000000000000000000000000000004e5a000000010872756c6520322f62027074'
    expect(encoded(some).toString('hex')).toBe(`${bytes}0000`)
    // Earlier versions wrote the whole query.
    expect(decodeClick(Buffer.from(`${bytes}0300613d31`, 'hex'))).toEqual(some)
  })

  test('is written behind what is there, and the end is returned', () => {
    const buffer = Buffer.alloc(2 * CLICK_BYTES_MAX, 7)
    const end = encodeClick(buffer, 100, smallest)
    expect([end, buffer[99], buffer[end]]).toEqual([138, 7, 7])
  })
})

const largest: Click = {
  linkId: Number.MAX_SAFE_INTEGER,
  workspaceId: Number.MAX_SAFE_INTEGER,
  clickedAtUs: Number.MAX_SAFE_INTEGER,
  visitor: Number.MAX_SAFE_INTEGER,
  country: 'ZZ',
  userAgent: 'ÿ'.repeat(USER_AGENT_CHARS_MAX),
  referrer: 'é'.repeat(REFERRER_CHARS_MAX),
  extras: {
    variant: 'v'.repeat(VARIANT_CHARS_MAX),
    via: 'preview',
    language: 'l'.repeat(8),
    utm: `utm_source=${'s'.repeat(200)}&utm_medium=${'m'.repeat(200)}&utm_campaign=${'c'.repeat(200)}&utm_term=${'t'.repeat(200)}&utm_content=${'x'.repeat(164)}`,
    alias: '冬'.repeat(CODE_BYTES_MAX / 3),
    city: { region: 'r'.repeat(255), name: 'ö'.repeat(127) + 'c' },
  },
}

const extras: ClickExtras = {
  variant: 'rule 2/b',
  via: 'qr',
  language: 'pt',
  utm: '',
  alias: '',
}
const byAlias: ClickExtras = { ...extras, alias: 'old-code' }

const ofCity: ClickExtras = { ...extras, city: { region: 'Île-de-France, FR', name: 'Paris, FR' } }

const PLAIN: ClickExtras = { variant: '', via: 'link', language: '', utm: '', alias: '' }

describe('every click', () => {
  test.each([
    ['the smallest', smallest],
    ['the largest', largest],
    ['an extended one', { ...smallest, extras }],
    ['one with UTM parameters', { ...smallest, extras: { ...PLAIN, utm: 'utm_source=a%20b&utm_term=c' } }],
    ['one by an alias', { ...smallest, extras: byAlias }],
    ['one that says only its alias', { ...smallest, extras: { ...PLAIN, alias: 'old-code' } }],
    ['one that says only how the visitor came', { ...smallest, extras: { ...extras, variant: '' } }],
    ['one of a city', { ...smallest, extras: ofCity }],
    ['one of a city by an alias', { ...smallest, extras: { ...byAlias, city: ofCity.city } }],
    ['one of a region', { ...smallest, extras: { ...PLAIN, city: { region: '東京都, JP', name: '' } } }],
    ['every Latin-1 character', { ...smallest, userAgent: latin1() }],
    [
      'a usual one',
      { ...smallest, country: 'NZ', userAgent: 'Mozilla/5.0 (X11)', referrer: 'münchen.example' },
    ],
  ])('comes back as it was written: %s', (_what, click) => {
    expect(decodeClick(encoded(click))).toEqual(click)
  })
})

describe('what is not a click of this version', () => {
  const good = encoded({ ...smallest, country: 'DE', userAgent: 'Browser', referrer: 'example.org' })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a seal’s kind', withByte(0, 2)],
    ['a kind of a later version', withByte(0, 6)],
    ['one of a city without extras', withByte(0, 5)],
    ['an extended kind without extras', withByte(0, 3)],
    ['one by an alias without extras', withByte(0, 4)],
    ['a byte less', good.subarray(0, -1)],
    ['a byte more', Buffer.concat([good, Buffer.alloc(1)])],
    ['a user agent that ends behind the record', withByte(36, 255)],
    ['link 0', withDouble(1, 0)],
    ['a link that is not whole', withDouble(1, 1.5)],
    ['a link that is no number', withDouble(1, NaN)],
    ['a negative workspace', withDouble(9, -1)],
    ['a time beyond exact numbers', withDouble(17, 2 ** 53)],
    ['a visitor without end', withDouble(25, Infinity)],
    ['a country in lower case', withByte(33, 0x64)],
    ['half a country', withByte(34, 0)],
  ])('is not read as one: %s', (_what, payload) => {
    expect(decodeClick(payload)).toBeUndefined()
  })

  test.each([
    ['an extended click', extras],
    ['a click by an alias', byAlias],
    ['a click of a city', ofCity],
  ])('is not read as one: %s that is cut, or too long, or came in an unknown way', (_what, some) => {
    const whole = encoded({ ...smallest, country: 'DE', userAgent: 'Browser', extras: some })
    expect(decodeClick(whole)).toBeDefined()
    for (let length = 0; length < whole.length; length++)
      expect(decodeClick(whole.subarray(0, length))).toBeUndefined()
    expect(decodeClick(Buffer.concat([whole, Buffer.alloc(1)]))).toBeUndefined()
    const viaAt = encoded({ ...smallest, country: 'DE', userAgent: 'Browser' }).length
    const unknown = Buffer.from(whole)
    unknown[viaAt] = 3
    expect(decodeClick(unknown)).toBeUndefined()
  })

  function withByte(offset: number, value: number): Buffer {
    const bytes = Buffer.from(good)
    bytes[offset] = value
    return bytes
  }

  function withDouble(offset: number, value: number): Buffer {
    const bytes = Buffer.from(good)
    bytes.writeDoubleLE(value, offset)
    return bytes
  }
})

function encoded(click: Click): Buffer {
  const buffer = Buffer.alloc(CLICK_BYTES_MAX)
  return buffer.subarray(0, encodeClick(buffer, 0, click))
}

function latin1(): string {
  return String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i))
}

const smallest: Click = {
  linkId: 1,
  workspaceId: 1,
  clickedAtUs: 0,
  visitor: 0,
  country: '',
  userAgent: '',
  referrer: '',
}
