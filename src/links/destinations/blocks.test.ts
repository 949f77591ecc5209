import { expect, test } from 'bun:test'
import { Blocks, NOTHING_BLOCKED } from './blocks.ts'

function blocksOf(...hosts: string[]): Blocks {
  const blocks = new Blocks()
  blocks.replace({ hosts, workspaceIds: [7], closedWorkspaceIds: [9] })
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

test('a workspace is blocked until a list comes without it', () => {
  const blocks = blocksOf('evil.example')
  expect([blocks.of(7, 'a.example'), blocks.of(8, 'a.example')]).toEqual(['blocked', 'free'])
  blocks.replace(NOTHING_BLOCKED)
  expect([blocks.of(7, 'a.example'), blocks.of(8, 'evil.example')]).toEqual(['free', 'free'])
})

test('a link is gone with its workspace, blocked by its host, or free', () => {
  const blocks = blocksOf('evil.example')
  const states = [blocks.of(9, 'evil.example'), blocks.of(8, 'evil.example'), blocks.of(8, 'a.example')]
  expect(states).toEqual(['gone', 'blocked', 'free'])
})
