import { expect, test } from 'bun:test'
import { done, refused, useTernCommand } from '../../../test/rigs/program/tern-command.ts'

const { tern, json, create } = useTernCommand()

const list = (...options: string[]) => json('user', 'list', ...options)

test('users are listed, suspended and reinstated, but not the only operator', async () => {
  expect((await tern('user', 'list')).complaints).toStartWith('There is no database in ')
  await create('ann@example.com')
  await create('bob@example.com', '--name', 'Bob')
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  const others = { verified: false, created_at: time }
  const ann = {
    id: 1,
    name: 'Ann',
    email: 'ann@example.com',
    role: 'operator',
    suspended_at: null,
    ...others,
  }
  const bob = { id: 2, name: 'Bob', email: 'bob@example.com', role: 'user', suspended_at: null, ...others }
  const listed = (user: object) => ({ ...user, workspaces: 1 })
  expect(await list()).toEqual([listed(bob), listed(ann)])
  expect(await list('--search', 'ANN')).toEqual([listed(ann)])
  expect(await list('--page', '2')).toEqual([])

  expect(await tern('user', 'suspend', 'Bob@example.com')).toEqual(done('bob@example.com is suspended.'))
  expect(await list()).toEqual([listed({ ...bob, suspended_at: time }), listed(ann)])
  const [head, row, operator] = (await tern('user', 'list')).output.split('\n')
  expect(head).toBe('id  email            name  role      verified  workspaces  suspended  created')
  expect(row).toMatch(/^2   bob@example\.com  Bob   user      no        1           yes        \d{4}-.{14}Z$/)
  expect(operator).toContain('Ann   operator  no ')
  const { output } = await tern('user', 'reinstate', 'bob@example.com', '--json')
  expect(JSON.parse(output)).toEqual(bob)
  expect(await tern('user', 'reinstate', 'Bob@example.com')).toEqual(done('Reinstated bob@example.com.'))

  expect(await tern('user', 'suspend', 'ann@example.com')).toEqual(
    refused('This is the only operator account. Make another account an operator first.'),
  )
  for (const word of ['suspend', 'reinstate'])
    expect(await tern('user', word, 'no@b.cd')).toEqual(refused('There is no user with the email no@b.cd.'))
})
