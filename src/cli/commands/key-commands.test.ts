import { SCOPES } from '../../access/roles-and-scopes.ts'
import { beforeEach, expect, test } from 'bun:test'
import { done, refused, useTernCommand } from '../../../test/rigs/program/tern-command.ts'

const KEY = /^tern_[A-Za-z0-9]{38}$/
const EMAIL = 'ann@example.com'

const { tern, json, create } = useTernCommand()
beforeEach(() => create(EMAIL))

test('a key is made and shown once, listed without its text, and revoked once', async () => {
  expect((await tern('key', 'list', EMAIL)).output).toBe(
    'There are no keys yet. Create one with tern key create.\n',
  )
  const bare = await tern('key', 'create', EMAIL, '--name', 'Bare')
  expect([bare.exitCode, bare.complaints]).toEqual([0, ''])
  expect(bare.output.trim()).toMatch(KEY)
  const words = ['--scope', 'links:read', '--scope', 'analytics:read', '--rate-limit', '7', '--json']
  const { output } = await tern('key', 'create', EMAIL, '--name', 'Narrow', ...words)
  const made = JSON.parse(output)
  expect(made).toEqual({ id: 2, key: expect.stringMatching(KEY) })
  // Exactly this, for programs that cut the key out by hand.
  expect(output).toBe(`{"id":2,"key":"${made.key}"}\n`)

  const first = {
    id: 1,
    name: 'Bare',
    key_hint: `tern_…${bare.output.trim().slice(-4)}`,
    active: true,
    scopes: [...SCOPES],
    rate_limit: 100,
    used_this_hour: 0,
    last_used_at: null,
  }
  const second = {
    ...first,
    id: 2,
    name: 'Narrow',
    key_hint: `tern_…${made.key.slice(-4)}`,
    scopes: ['links:read', 'analytics:read'],
    rate_limit: 7,
  }
  expect(await json('key', 'list', EMAIL)).toEqual([first, second])

  expect(await tern('key', 'revoke', '2')).toEqual(done('Key 2 is revoked.'))
  expect(await tern('key', 'revoke', '2')).toEqual(refused('There is no active key with the id 2.'))
  const table = (await tern('key', 'list', EMAIL)).output.split('\n')
  expect(table[0]).toMatch(/^id {2}name {4}key {9}state {4}scopes .* used this hour {2}last used$/)
  expect(table[1]).toMatch(/^1 {3}Bare {4}tern_….{4} {2}active .* 0\/100 +never$/)
  expect(table[2]).toMatch(
    /^2 {3}Narrow {2}tern_….{4} {2}revoked {2}links:read analytics:read .* 0\/7 +never$/,
  )
})

test('a key may have no limit, which the list says', async () => {
  await tern('key', 'create', EMAIL, '--name', 'Free', '--rate-limit', 'none')
  expect(await json('key', 'list', EMAIL)).toMatchObject([{ rate_limit: null }])
  expect((await tern('key', 'list', EMAIL)).output).toContain('0/no limit')
})

test('what breaks a rule is refused, and no key is made', async () => {
  const refusals: [words: string[], sentence: string][] = [
    [['create', EMAIL], '--name is required.'],
    [['create', 'no@b.cd', '--name', 'k'], 'There is no account with the email no@b.cd.'],
    [
      ['create', EMAIL, '--name', 'k', '--scope', 'links:all'],
      `There is no scope links:all; there are ${SCOPES.join(', ')}.`,
    ],
    [['create', EMAIL, '--name', 'k', '--rate-limit', 'many'], '--rate-limit must be a whole number.'],
    [
      ['create', EMAIL, '--name', 'k', '--rate-limit', '0'],
      '--rate-limit must be an integer between 1 and 1000000000.',
    ],
    [['list', 'no@b.cd'], 'There is no account with the email no@b.cd.'],
    [['revoke', 'first'], 'The id must be a whole number.'],
    [['revoke', '1'], 'There is no active key with the id 1.'],
  ]
  for (const [words, sentence] of refusals) expect(await tern('key', ...words)).toEqual(refused(sentence))
  expect((await tern('key', 'list', EMAIL, '--json')).output).toBe('[]\n')
})
