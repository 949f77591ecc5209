import { expect, test } from 'bun:test'
import { isPublicAddress } from './public-address.ts'

test('public addresses', () => {
  for (const ip of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2606:4700:0:0:0:0:0:1111', '2A00:1450::1']) {
    expect([ip, isPublicAddress(ip)]).toEqual([ip, true])
  }
})

test('addresses that are not public, in any spelling, or no addresses', () => {
  const others = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '100.100.100.200',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::FFFF:127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '0:0:0:0:0:0:0:1',
    '',
    'example.com',
    '127.1',
    '2130706433',
    '[::1]',
  ]
  for (const ip of others) expect([ip, isPublicAddress(ip)]).toEqual([ip, false])
})
