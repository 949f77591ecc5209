import { expect, test } from 'bun:test'
import { Blocks } from './blocks.ts'

function blocksOf(...hosts: string[]): Blocks {
  const blocks = new Blocks()
  blocks.replace({ hosts, accountIds: [7] })
  return blocks
}

test('a blocked host is blocked with all names under it, and no other', () => {
  const blocks = blocksOf('evil.example', '192.0.2.1', '[2001:db8::1]')
  const blocked = [
    'evil.example',
    'evil.example.',
    'www.evil.example',
    'a.b.evil.example',
    '192.0.2.1',
    '[2001:db8::1]',
  ]
  const free = ['example', 'notevil.example', 'evil.example.org', '192.0.2.10', '2.1', '']
  expect(blocked.filter((host) => !blocks.isHostBlocked(host))).toEqual([])
  expect(free.filter((host) => blocks.isHostBlocked(host))).toEqual([])
})

test('an account is blocked until a list comes without it', () => {
  const blocks = blocksOf('evil.example')
  expect([blocks.isAccountBlocked(7), blocks.isAccountBlocked(8)]).toEqual([true, false])
  blocks.replace({ hosts: [], accountIds: [] })
  expect([blocks.isAccountBlocked(7), blocks.isHostBlocked('evil.example')]).toEqual([false, false])
})
