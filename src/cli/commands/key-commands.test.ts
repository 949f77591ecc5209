import { SCOPES } from '../../access/roles-and-scopes.ts'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Ended, runTern } from '../../../test/rigs/program/server-process.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'

const KEY = /^tern_[A-Za-z0-9]{38}$/
const EMAIL = 'ann@example.com'

const folders = temporaryFolders()
let dataDir: string
beforeEach(async () => {
  dataDir = folders.make()
  await tern('account', 'create', EMAIL, '--name', 'Ann', '--password', 'correct horse battery')
})
afterEach(folders.remove)

const tern = (...words: string[]): Promise<Ended> => runTern(words, { DATA_DIR: dataDir })
const refused = (complaints: string): Ended => ({ exitCode: 1, output: '', complaints })

test('a key is made and shown once, listed without its text, and revoked once', async () => {
  expect((await tern('key', 'list', EMAIL)).output).toBe(
    'There are no keys yet. Create one with tern key create.\n',
  )
  const bare = await tern('key', 'create', EMAIL, '--name', 'Bare')
  expect([bare.exitCode, bare.complaints]).toEqual([0, ''])
  expect(bare.output.trim()).toMatch(KEY)
  const words = ['--scope', 'links:read', '--scope', 'analytics:read', '--rate-limit', '7', '--json']
  const json = await tern('key', 'create', EMAIL, '--name', 'Narrow', ...words)
  const made = JSON.parse(json.output)
  expect(made).toEqual({ id: 2, key: expect.stringMatching(KEY) })
  // Exactly this, for programs that cut the key out by hand.
  expect(json.output).toBe(`{"id":2,"key":"${made.key}"}\n`)

  const everything = [...SCOPES]
  const first = {
    id: 1,
    name: 'Bare',
    key_hint: `tern_…${bare.output.trim().slice(-4)}`,
    active: true,
    scopes: everything,
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
  const listed = await tern('key', 'list', EMAIL, '--json')
  expect(JSON.parse(listed.output)).toEqual([first, second])

  expect(await tern('key', 'revoke', '2')).toEqual({
    exitCode: 0,
    output: 'Key 2 is revoked.\n',
    complaints: '',
  })
  expect(await tern('key', 'revoke', '2')).toEqual(refused('There is no active key with the id 2.\n'))
  const table = (await tern('key', 'list', EMAIL)).output.split('\n')
  expect(table[0]).toMatch(/^id {2}name {4}key {9}state {4}scopes .* used this hour {2}last used$/)
  expect(table[1]).toMatch(/^1 {3}Bare {4}tern_….{4} {2}active .* 0\/100 +never$/)
  expect(table[2]).toMatch(
    /^2 {3}Narrow {2}tern_….{4} {2}revoked {2}links:read analytics:read .* 0\/7 +never$/,
  )
})

test('a key may have no limit, which the list says', async () => {
  await tern('key', 'create', EMAIL, '--name', 'Free', '--rate-limit', 'none')
  expect(JSON.parse((await tern('key', 'list', EMAIL, '--json')).output)).toMatchObject([
    { rate_limit: null },
  ])
  expect((await tern('key', 'list', EMAIL)).output).toContain('0/no limit')
})

test('what breaks a rule is refused, and no key is made', async () => {
  const refusals: [words: string[], sentences: string][] = [
    [['create', EMAIL], 'The name field is required.\n'],
    [['create', 'no@b.cd', '--name', 'k'], 'There is no account with the email no@b.cd.\n'],
    [
      ['create', EMAIL, '--name', 'k', '--scope', 'links:all'],
      'There is no scope links:all; there are ' + `${SCOPES.join(', ')}.\n`,
    ],
    [['create', EMAIL, '--name', 'k', '--rate-limit', 'many'], 'The rate limit must be a whole number.\n'],
    [
      ['create', EMAIL, '--name', 'k', '--rate-limit', '0'],
      'The rate limit must be an integer between 1 and 1000000000.\n',
    ],
    [['list', 'no@b.cd'], 'There is no account with the email no@b.cd.\n'],
    [['revoke', 'first'], 'The id must be a whole number.\n'],
    [['revoke', '1'], 'There is no active key with the id 1.\n'],
  ]
  for (const [words, sentences] of refusals) expect(await tern('key', ...words)).toEqual(refused(sentences))
  expect((await tern('key', 'list', EMAIL, '--json')).output).toBe('[]\n')
})
