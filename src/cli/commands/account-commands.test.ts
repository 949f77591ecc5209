import { expect, test } from 'bun:test'
import { done, refused, useTernCommand } from '../../../test/rigs/program/tern-command.ts'

const { tern, json, create } = useTernCommand()

test('an account is made, vouched for, put on a plan, given a role and listed; the first is the operator’s', async () => {
  expect((await tern('account', 'list')).complaints).toStartWith('There is no database in ')
  expect(await create('Ann@Example.com')).toEqual(done('Created account 1 for ann@example.com.'))
  const { output } = await create('bob@example.com', '--verified', '--json')
  const bob = {
    id: 2,
    workspace_id: expect.any(Number),
    name: 'Ann',
    email: 'bob@example.com',
    verified: true,
    role: 'user',
    plan: 'free',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  }
  expect(JSON.parse(output)).toEqual(bob)
  expect(output.trim().split('\n')).toHaveLength(1)

  expect(await tern('account', 'verify', 'ANN@example.com')).toEqual(done('ann@example.com is verified.'))
  expect(await tern('account', 'verify', 'ann@example.com')).toEqual(done('ann@example.com is verified.'))
  expect(await tern('account', 'plan', 'bob@example.com', 'pro')).toEqual(
    done('bob@example.com is now on the plan pro.'),
  )
  expect(await json('account', 'list')).toEqual([
    { ...bob, id: 1, email: 'ann@example.com', role: 'admin' },
    { ...bob, plan: 'pro' },
  ])
  const role = (email: string, word: string) => tern('account', 'role', email, word)
  expect(await role('ann@example.com', 'user')).toEqual(
    refused('This is the only operator account. Make another account an operator first.'),
  )
  expect(await role('Bob@example.com', 'admin')).toEqual(done('bob@example.com now has the role admin.'))
  expect(await role('ann@example.com', 'user')).toEqual(done('ann@example.com now has the role user.'))
  const table = (await tern('account', 'list')).output.split('\n')
  expect(table[0]).toBe('id  email            name  plan  verified  role   created')
  expect(table[1]).toMatch(
    /^1   ann@example\.com  Ann   free  yes       user   \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  )
})

test('a reset link is printed, alone on its line, with how long it works', async () => {
  await create('ann@example.com')
  const { exitCode, output } = await tern('account', 'reset-link', 'Ann@example.com')
  expect(exitCode).toBe(0)
  const [link, sentence, ...rest] = output.split('\n')
  expect(link).toMatch(/^http:\/\/localhost:3000\/dashboard\/reset-password#[\w-]{43}$/)
  expect(sentence).toMatch(
    /^It works once, until \d{4}-\d\d-\d\dT\d\d:\d\dZ\. Give it to nobody but ann@example\.com\.$/,
  )
  expect(rest).toEqual([''])
})

test('what breaks a rule is refused, and nothing is stored', async () => {
  const refusals: [words: string[], ...sentences: string[]][] = [
    [
      ['create', 'x'],
      '--name is required.',
      'The email must be a valid email address.',
      '--password is required.',
    ],
    [
      ['create', 'a@b.cd', '--name', 'Ann', '--password', 'short'],
      '--password must be at least 12 characters.',
    ],
    [['verify', 'no@b.cd'], 'There is no account with the email no@b.cd.'],
    [['role', 'no@b.cd', 'admin'], 'There is no account with the email no@b.cd.'],
    [['reset-link', 'no@b.cd'], 'There is no account with the email no@b.cd.'],
    [['plan', 'no@b.cd', 'pro'], 'There is no account with the email no@b.cd.'],
  ]
  for (const [words, ...sentences] of refusals)
    expect(await tern('account', ...words)).toEqual(refused(...sentences))
  expect(await tern('account', 'list', '--json')).toEqual(done('[]'))
})

test('a plan that does not exist is refused', async () => {
  await create('ann@example.com')
  expect(await tern('account', 'plan', 'ann@example.com', 'gold')).toEqual(
    refused('The plan must be one of free, pro, business, enterprise.'),
  )
  const [{ plan }] = await json('account', 'list')
  expect(plan).toBe('free')
})

test('two commands at once on a new folder both do their work, and one address has one account', async () => {
  const ends = await Promise.all([
    create('ann@example.com'),
    create('ann@example.com'),
    create('bob@example.com'),
    create('cid@example.com'),
  ])
  const taken = 'The email has already been taken.\n'
  expect(ends.map(({ complaints }) => complaints).sort()).toEqual(['', '', '', taken])
  const listed: { email: string }[] = await json('account', 'list')
  expect(listed.map(({ email }) => email).sort()).toEqual([
    'ann@example.com',
    'bob@example.com',
    'cid@example.com',
  ])
})
