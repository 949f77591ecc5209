import { expect, test } from 'bun:test'
import { isLoopback, isPrivateHost, parseIp } from './private-hosts.ts'

const listed = (text: string): string[] => text.trim().split(/\s+/)

test('an address in a special-purpose block is private, to the edges of the block', () => {
  expect(special.filter((host) => !isPrivateHost(hostnameOf(host)))).toEqual([])
})

test('an address beside a special-purpose block is public', () => {
  expect(open.filter((host) => isPrivateHost(hostnameOf(host)))).toEqual([])
})

test('every spelling of an address that the parser takes is judged alike', () => {
  const spellings = listed(`
    0x7f.1 2130706433 017700000001 127.1 ①②⑦.0.0.1 １２７.0.0.1 127。0。0。1 %3127.0.0.1 127.0.0.1.
    [0:0:0:0:0:0:0:1] [0:0:0:0:0:FFFF:7F00:1]`)
  for (const host of spellings) {
    expect(isPrivateHost(hostnameOf(host))).toBe(true)
  }
})

test('a name is private by its suffix or for want of a dot', () => {
  const names = listed(`
    localhost app.localhost printer.local metadata.google.internal wiki.corp nas.lan router.home.arpa home.arpa
    intranet metadata LOCALHOST`)
  for (const name of names) {
    expect(isPrivateHost(hostnameOf(name))).toBe(true)
    expect(isPrivateHost(hostnameOf(`${name}.`))).toBe(true)
  }
})

test('a name that only resembles a private one is public', () => {
  const names = listed(
    'example.com localhost.example.com notlocalhost.com mylocal.org internal.example lan.party',
  )
  for (const name of names) {
    expect(isPrivateHost(hostnameOf(name))).toBe(false)
    expect(isPrivateHost(hostnameOf(`${name}.`))).toBe(false)
  }
})

test('an address is read as 128 bits, and a name is not', () => {
  expect(parseIp('1.2.3.4')).toBe(0xffff_0102_0304n)
  expect(parseIp('[::ffff:102:304]')).toBe(0xffff_0102_0304n)
  expect(parseIp('[::]')).toBe(0n)
  expect(parseIp('[1::]')).toBe(1n << 112n)
  expect(parseIp('[2001:db8::8:800:200c:417a]')).toBe(0x2001_0db8_0000_0000_0008_0800_200c_417an)
  expect(parseIp('[1:2:3:4:5:6:7:8]')).toBe(0x0001_0002_0003_0004_0005_0006_0007_0008n)
  expect(parseIp('example.com')).toBeUndefined()
})

test('loopback is 127.0.0.0/8, ::1 and the unspecified addresses, mapped or not', () => {
  const isLoopbackHost = (host: string): boolean => isLoopback(parseIp(hostnameOf(host))!)
  for (const host of ['127.0.0.1', '127.9.9.9', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]']) {
    expect(isLoopbackHost(host)).toBe(true)
  }
  for (const host of ['128.0.0.1', '0.0.0.1', '10.0.0.1', '[::2]', '[::ffff:10.0.0.1]', '[2001:db8::1]']) {
    expect(isLoopbackHost(host)).toBe(false)
  }
})

const open = listed(`
  1.0.0.0 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0
  192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255
  168.63.129.15 168.63.129.17 [2001:200::] [2001:4860:4860::8888] [2001:db7:ffff::1] [2001:db9::1]
  [2003::1] [2606:4700::1111] [2620:4f:7fff::1] [2620:4f:8001::1] [2a00:1450:4001:81b::200e] [3ffe::1]`)

// First and last address of each block, where the neighbour outside is public space.
const special = listed(`
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255
  169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1
  192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0
  198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255
  168.63.129.16 100.100.100.200 [::] [::1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:a9fe:a9fe]
  [::ffff:8.8.8.8] [::ffff:0:8.8.8.8] [64:ff9b::10.0.0.1] [64:ff9b::8.8.8.8] [64:ff9b:1::]
  [64:ff9b:1:ffff::1] [100::] [100::ffff] [100:0:0:1::] [2001::] [2001:1ff:ffff::] [2001:db8::1]
  [2002::] [2002:7f00:1::] [2620:4f:8000::1] [3fff::1] [3fff:fff::1] [5f00::1] [fc00::] [fd00:ec2::254]
  [fdff::1] [fe80::1] [febf::1] [fec0::1] [ff02::1]`)

const hostnameOf = (host: string): string => new URL(`http://${host}/`).hostname
