import type { Account } from '../../users/account.ts'
import { assignPlan } from '../../operator/assign-plan.ts'
import { createAccount } from '../../users/sign-up/create-account.ts'
import { accountByEmail, listAccounts } from '../../users/find-account.ts'
import { validated } from '../../errors/field-errors.ts'
import { changeUser, userChange } from '../../operator/manage-users.ts'
import { PLAN_NAMES } from '../../access/plan-names.ts'
import { makeResetLink } from '../../users/password/reset-link.ts'
import { verifyEmail } from '../../users/sign-up/verify-email.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import type { Command } from '../command.ts'
import { textTable } from '../text-table.ts'

const JSON_OPTION = { json: { type: 'boolean', meaning: 'Print JSON.' } } as const

export const accountCommands: Command[] = [
  {
    name: 'account create',
    words: ['<email>'],
    summary: 'Create an account.',
    options: {
      name: { type: 'string', value: 'text', meaning: 'Name of the user or team.' },
      password: { type: 'string', value: 'text', meaning: 'At least 12 characters.' },
      verified: {
        type: 'boolean',
        meaning: 'Mark the email address as verified; the API refuses unverified accounts.',
      },
      ...JSON_OPTION,
    },
    async run(call, { withNewStore, clock, print }) {
      const account = await withNewStore((db) =>
        createAccount(
          { db, clock },
          {
            email: call.words[0]!,
            name: call.text('name') ?? '',
            password: call.text('password') ?? '',
            isVerified: call.isSet('verified'),
          },
        ),
      )
      print(
        call.isSet('json')
          ? JSON.stringify(accountJson(account))
          : `Created account ${account.userId} for ${account.email}.`,
      )
    },
  },
  {
    name: 'account verify',
    words: ['<email>'],
    summary: "Mark an account's email address as verified.",
    async run(call, { withStore, clock, print }) {
      const account = await withStore((db) => verifyEmail({ db, clock }, call.words[0]!))
      print(`${account.email} is verified.`)
    },
  },
  {
    name: 'account list',
    summary: 'List all accounts.',
    options: JSON_OPTION,
    async run(call, { readStore, print }) {
      const accounts = await readStore(listAccounts)
      if (call.isSet('json')) return print(JSON.stringify(accounts.map(accountJson)))
      if (accounts.length === 0)
        return print('There are no accounts yet. Create one with tern account create.')
      const rows = accounts.map((account) => [
        String(account.userId),
        account.email,
        account.name,
        account.plan,
        account.emailVerifiedAtUs === null ? 'no' : 'yes',
        account.role,
        isoMicroseconds(account.createdAtUs).slice(0, 19) + 'Z',
      ])
      print(textTable(['id', 'email', 'name', 'plan', 'verified', 'role', 'created'], rows))
    },
  },
  {
    name: 'account role',
    words: ['<email>', '<role>'],
    summary: 'Make an account an operator (admin) or a regular user (user).',
    async run(call, { withStore, clock, print }) {
      const account = await withStore(async (db) => {
        const { userId } = await accountByEmail(db, call.words[0]!)
        await changeUser({ db, clock }, userId, validated(userChange, { role: call.words[1] }))
        return accountByEmail(db, call.words[0]!)
      })
      print(`${account.email} now has the role ${account.role}.`)
    },
  },
  {
    name: 'account reset-link',
    words: ['<email>'],
    summary: 'Print a link by which somebody chooses a new password, once, within 24 hours.',
    options: JSON_OPTION,
    async run(call, { withStore, readConfig, clock, print }) {
      const { baseUrl } = readConfig()
      const { email, href, expiresAtUs } = await withStore(async (db) =>
        makeResetLink({ db, clock, baseUrl }, await accountByEmail(db, call.words[0]!)),
      )
      const expiresAt = isoMicroseconds(expiresAtUs)
      if (call.isSet('json')) return print(JSON.stringify({ email, link: href, expires_at: expiresAt }))
      print(`${href}\nIt works once, until ${expiresAt.slice(0, 16)}Z. Give it to nobody but ${email}.`)
    },
  },
  {
    name: 'account plan',
    words: ['<email>', '<plan>'],
    summary: `Assign a plan to an account: ${PLAN_NAMES.join(', ')}.`,
    async run(call, { withStore, clock, print }) {
      const account = await withStore((db) => assignPlan({ db, clock }, call.words[0]!, call.words[1]!))
      print(`${account.email} is now on the plan ${account.plan}.`)
    },
  },
]

const accountJson = (account: Account) => ({
  id: account.userId,
  workspace_id: account.workspaceId,
  name: account.name,
  email: account.email,
  verified: account.emailVerifiedAtUs !== null,
  role: account.role,
  plan: account.plan,
  created_at: isoMicroseconds(account.createdAtUs),
})
