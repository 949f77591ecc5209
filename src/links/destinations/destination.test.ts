import { canonicalHost } from './own-hosts.ts'
import { describe, expect, test } from 'bun:test'
import type { FieldCode } from '../../errors/field-codes.ts'
import { Blocks } from './blocks.ts'
import { type DestinationRules, readDestination } from './destination.ts'

const rules: DestinationRules = {
  ownHosts: new Set(['tern.example']),
  allowPrivate: false,
  blocks: new Blocks(),
}

const refused = (code: FieldCode, rule: string) => ({ code, error: `The :attribute ${rule}` })

describe('what is accepted', () => {
  test.each<[input: string, href: string]>([
    ['https://example.com', 'https://example.com/'],
    ['http://example.com/a?b=c', 'http://example.com/a?b=c'],
    ['HTTPS://Example.COM/Path', 'https://example.com/Path'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://example.com./', 'https://example.com./'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://snake_case.example/', 'https://snake_case.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://example.com/@someone?mail=a@b.c', 'https://example.com/@someone?mail=a@b.c'],
    ['https://example.com?next=//user@x', 'https://example.com/?next=//user@x'],
    ['https://example.com/#section-2', 'https://example.com/#section-2'],
    ['https://example.com/%0d%0aSet-Cookie:x=1', 'https://example.com/%0d%0aSet-Cookie:x=1'],
    ['https://example.com/é/日本?q=ü#é', 'https://example.com/%C3%A9/%E6%97%A5%E6%9C%AC?q=%C3%BC#%C3%A9'],
    ['https://example.com/\u202egpj.exe', 'https://example.com/%E2%80%AEgpj.exe'],
    ['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
    ['https://tern.example.org/', 'https://tern.example.org/'],
    ['https://sub.tern.example/', 'https://sub.tern.example/'],
  ])('%s leads to %s', (input, href) => {
    expect(read(input)).toEqual({ href })
  })

  test('every accepted URL is visible ASCII', () => {
    for (let code = 0x21; code < 0x2100; code++) {
      const character = String.fromCharCode(code)
      for (const host of ['example.com', `a${character}b.com`]) {
        const destination = read(`https://${host}/${character}?${character}#${character}`)
        if ('href' in destination) expect(destination.href).toMatch(/^[\x21-\x7e]+$/)
      }
    }
  })
})

describe('what is not a URL of the web', () => {
  const otherSchemes = listed(`
    javascript:alert(1) JaVaScRiPt://example.com/%0aalert(1) data:text/html,x vbscript:x file:///etc/hostname
    blob:https://example.com/1 ftp://example.com/ mailto:a@example.com view-source:https://example.com/
    about:blank ws://example.com/ s3://bucket/key intent://example.com#Intent;scheme=https;end`)
  const incomplete = listed(`
    word /path tern.example user@example.com 192.168.0.1 https:example.com https:/example.com https:///example.com https//example.com
    https:// http://? http://# https://example.com:99999/ https://[::1 https://xn--/`)
  test.each(['', ...otherSchemes, ...incomplete])('"%s" is refused', (input) => {
    expect(read(input)).toEqual(NOT_A_URL)
  })

  test('a C0 control or DEL is refused inside, and a backslash before the query', () => {
    const controls = [...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)), '\x7f']
    const input = 'https://example.com/abc'
    for (const character of [...controls, '\\'])
      for (const place of [3, 8, 12, 20])
        expect(read(input.slice(0, place) + character + input.slice(place))).toEqual(NOT_A_URL)
    for (const character of controls) expect(read(`${input}?a#b${character}c`)).toEqual(NOT_A_URL)
  })

  test('what the parser would turn into a URL is refused', () => {
    const turned = ['\tjava\nscript:alert(1)', 'https:\\\\example.com', 'https://example.com\\@evil.example/']
    for (const input of turned) {
      expect(read(input)).toEqual(NOT_A_URL)
    }
  })

  test('a lone surrogate is refused', () => {
    for (const half of ['\ud800', '\udfff']) expect(read(`https://example.com/${half}`)).toEqual(NOT_A_URL)
  })

  const badHosts = listed('. .. a..b.com .example.com example.com.. a,b.com a$b.com *.com a%00b.com')
  test.each(badHosts)('the host "%s" is refused, private destinations allowed or not', (host) => {
    expect(read(`https://${host}/`)).toEqual(NOT_A_URL)
    expect(read(`https://${host}/`, { allowPrivate: true })).toEqual(NOT_A_URL)
  })

  test('a label has up to 63 characters', () => {
    expect(read(`https://${'a'.repeat(63)}.com/`)).toHaveProperty('href')
    expect(read(`https://${'a'.repeat(64)}.com/`)).toEqual(NOT_A_URL)
  })

  test('a host name has up to 253 characters, without the dot of the root', () => {
    const longest = `${'a'.repeat(61)}.`.repeat(4) + 'comeu'
    expect(longest).toHaveLength(253)
    expect(read(`https://${longest}/`)).toHaveProperty('href')
    expect(read(`https://${longest}./`)).toHaveProperty('href')
    expect(read(`https://${longest}x/`)).toEqual(NOT_A_URL)
  })

  test('a host of far more characters is refused, even when the parser would ignore most of them', () => {
    const host = (length: number) => `${'\u00ad'.repeat(length - 11)}example.com`
    expect(read(`https://${host(1_024)}/`)).toEqual({ href: 'https://example.com/' })
    expect(read(`https://${host(1_025)}/`)).toEqual(NOT_A_URL)
  })
})

describe('length', () => {
  const start = 'https://example.com/'
  test('8192 characters are accepted, 8193 are not', () => {
    expect(read(start + 'x'.repeat(8192 - start.length))).toHaveProperty('href')
    expect(read(start + 'x'.repeat(8193 - start.length))).toEqual(TOO_LONG)
    expect(read('x'.repeat(1_000_000))).toEqual(TOO_LONG)
  })

  test('as submitted, an emoji counts as one character', () => {
    expect(read(start + '😀'.repeat(8193 - start.length))).toEqual(TOO_LONG)
    expect(read(start + '😀'.repeat(8192 - start.length))).toEqual(TOO_LONG_ENCODED)
  })

  test('as redirected to, 8192 bytes are accepted, 8193 are not', () => {
    const encoded: [character: string, bytes: number][] = [
      ['😀', 12],
      ['日', 9],
      ['ä', 6],
      ['"', 3],
    ]
    for (const [character, bytes] of encoded) {
      const characters = Math.floor((8192 - start.length) / bytes)
      const rest = 8192 - start.length - characters * bytes
      const longest = start + character.repeat(characters) + 'x'.repeat(rest)
      const { href } = read(longest) as { href: string }
      expect([character, href.length, Buffer.byteLength(href)]).toEqual([character, 8192, 8192])
      expect(read(`${longest}x`)).toEqual(TOO_LONG_ENCODED)
    }
  })
})

test('a user name or password is refused, even an empty one', () => {
  for (const userinfo of ['user', 'user:secret', ':secret', ':', '', 'bank.example@evil', 'us%65r']) {
    expect(read(`https://${userinfo}@example.com/`)).toEqual(USERINFO)
  }
})

describe('our own host', () => {
  const spellings = listed(`
    https://tern.example/ HTTPS://TERN.EXAMPLE./x http://tern.example/abc https://tern.example:443/abc
    http://tern.example:443/ https://tern.example:80/ https://t%65rn.example/ https://ｔｅｒｎ。example/
    https://te\u00adrn.example/ https://tern.example?x https://tern.example#x`)
  test.each(spellings)('%s is refused', (input) => {
    expect(read(input)).toEqual(OURS)
    expect(read(input, { allowPrivate: true })).toEqual(OURS)
  })

  test('another port of our host is another service', () => {
    expect(read('https://tern.example:8443/')).toEqual({ href: 'https://tern.example:8443/' })
  })

  test('each of several hosts is ours', () => {
    const ownHosts = new Set(
      listed('tern.example go.example:8080 xn--bcher-kva.example 198.51.100.7 [2606:4700::7]').map((host) =>
        canonicalHost(new URL(`http://${host}`)),
      ),
    )
    const names = listed('tern.example go.example:8080 bücher.example')
    const addresses = listed('198.51.100.7 0xc6336407 [::ffff:198.51.100.7] [2606:4700:0::7]')
    for (const host of [...names, ...addresses]) expect(read(`http://${host}/`, { ownHosts })).toEqual(OURS)
    expect(read('http://go.example/', { ownHosts })).toEqual({ href: 'http://go.example/' })
  })

  test('on localhost our own port is refused under every name of the machine, and other ports are allowed', () => {
    const trial = { ownHosts: new Set(['localhost:3000']), allowPrivate: true }
    for (const name of listed('localhost LOCALHOST. 127.0.0.1 127.1 0.0.0.0 [::1] [::ffff:127.0.0.1]')) {
      expect(read(`http://${name}:3000/abc`, trial)).toEqual(OURS)
      expect(read(`http://${name}:3001/abc`, trial)).toHaveProperty('href')
    }
    expect(read('http://localhost/', trial)).toEqual({ href: 'http://localhost/' })
  })

  test('being ours weighs more than being private', () => {
    expect(read('http://localhost:3000/', { ownHosts: new Set(['localhost:3000']) })).toEqual(OURS)
  })
})

describe('private hosts', () => {
  const hosts = listed(`
    localhost app.localhost:3000 printer.local. intranet metadata.google.internal 127.0.0.1 10.1.2.3 0x7f.1 2130706433
    ①②⑦.0.0.1 169.254.169.254 168.63.129.16 100.100.100.200 [::1] [::ffff:a9fe:a9fe] [64:ff9b::7f00:1] [2002:7f00:1::]
    [fd00:ec2::254] [fe80::1]`)
  test.each(hosts)('%s is refused, unless private destinations are allowed', (host) => {
    expect(read(`http://${host}/`)).toEqual(PRIVATE)
    expect(read(`http://${host}/`, { allowPrivate: true })).toHaveProperty('href')
  })
})

const OURS = refused('points_to_this_service', 'may not point to this service.')
const PRIVATE = refused('private_address', 'may not point to a private address.')
const USERINFO = refused('credentials_in_url', 'may not contain a user name or password.')

const NOT_A_URL = refused('url_invalid', 'must be a valid URL that starts with http:// or https://.')
const TOO_LONG = refused('too_long', 'may not be greater than 8192 characters.')
const TOO_LONG_ENCODED = refused('too_long', 'may not be greater than 8192 bytes after percent-encoding.')

const read = (text: string, changed: Partial<DestinationRules> = {}) => {
  const found = readDestination(text, { ...rules, ...changed })
  return 'href' in found ? { href: found.href } : found
}

const listed = (text: string): string[] => text.trim().split(/\s+/)
