import { COMMAND_LINE } from '../../access/caller.ts'
import {
  browseUsers,
  type ManagedUser,
  reinstateUser,
  suspendUser,
  userByEmail,
} from '../../operator/manage-users.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import type { User } from '../../users/user.ts'
import type { Command } from '../command.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'

const USERS_PER_PAGE = 100
const JSON_OPTION = { json: { type: 'boolean', meaning: 'Print JSON.' } } as const

export const userCommands: Command[] = [
  {
    name: 'user list',
    summary: 'List the users, newest first.',
    options: {
      search: { type: 'string', value: 'text', meaning: 'Only those with this in their name or email.' },
      page: { type: 'string', value: 'number', meaning: `A page has ${USERS_PER_PAGE} users; default: 1.` },
      ...JSON_OPTION,
    },
    async run(call, { readStore, print }) {
      const page = wholeNumber(call.text('page') ?? '1', 'page', 1)
      const query = { page, perPage: USERS_PER_PAGE, search: call.text('search') ?? '' }
      const { users, total } = await readStore((db) => browseUsers(db, query))
      if (call.isSet('json')) return print(JSON.stringify(users.map(userJson)))
      if (total === 0) return print('There are no such users.')
      print(textTable(COLUMNS, users.map(cellsOf)))
      const pages = Math.ceil(total / USERS_PER_PAGE)
      if (pages > 1) print(`Page ${page} of ${pages}. Choose another one with --page.`)
    },
  },
  {
    name: 'user suspend',
    words: ['<email>'],
    summary: 'Sign a user out everywhere, and refuse their sign-ins and keys. Their links go on working.',
    options: JSON_OPTION,
    async run(call, { withStore, clock, print }) {
      const user = await withStore(async (db) => {
        const { id } = await userByEmail(db, call.words[0]!)
        await suspendUser({ db, clock }, COMMAND_LINE, id)
        return userByEmail(db, call.words[0]!)
      })
      print(call.isSet('json') ? JSON.stringify(stateJson(user)) : `${user.email} is suspended.`)
    },
  },
  {
    name: 'user reinstate',
    words: ['<email>'],
    summary: 'Undo a suspension: the user can sign in, and their keys work again.',
    options: JSON_OPTION,
    async run(call, { withStore, clock, print }) {
      const user = await withStore(async (db) => {
        const { id } = await userByEmail(db, call.words[0]!)
        await reinstateUser({ db, clock }, COMMAND_LINE, id)
        return userByEmail(db, call.words[0]!)
      })
      print(call.isSet('json') ? JSON.stringify(stateJson(user)) : `Reinstated ${user.email}.`)
    },
  },
]

const COLUMNS = ['id', 'email', 'name', 'role', 'verified', 'workspaces', 'suspended', 'created']

/** In workspaces, an admin is something else. */
const roleOf = ({ role }: User) => (role === 'admin' ? 'operator' : role)

const cellsOf = (user: ManagedUser): string[] => [
  String(user.id),
  user.email,
  user.name,
  roleOf(user),
  user.emailVerifiedAtUs === null ? 'no' : 'yes',
  String(user.workspaces),
  user.suspendedAtUs === null ? 'no' : 'yes',
  isoMicroseconds(user.createdAtUs).slice(0, 19) + 'Z',
]

const stateJson = (user: User) => ({
  id: user.id,
  name: user.name,
  email: user.email,
  verified: user.emailVerifiedAtUs !== null,
  role: roleOf(user),
  suspended_at: isoOrNull(user.suspendedAtUs),
  created_at: isoMicroseconds(user.createdAtUs),
})

const userJson = (user: ManagedUser) => ({ ...stateJson(user), workspaces: user.workspaces })
