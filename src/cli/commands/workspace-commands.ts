import { COMMAND_LINE } from '../../access/caller.ts'
import { validated } from '../../errors/field-errors.ts'
import {
  browseWorkspaces,
  changeWorkspace,
  type ManagedWorkspace,
  workspaceById,
  workspaceByIdOrName,
  workspaceChange,
} from '../../operator/manage-workspaces.ts'
import { reinstateWorkspace, suspendWorkspace } from '../../operator/suspend-workspace.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { linkLimitOf } from '../../links/link-limit.ts'
import { PLAN_NAMES } from '../../access/plan-names.ts'
import { ANNOUNCED_BY_STORE, type Command } from '../command.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'

const WORKSPACES_PER_PAGE = 100
const WORKSPACE = ['<id or name>']
const JSON_OPTION = { json: { type: 'boolean', meaning: 'Print JSON.' } } as const

export const workspaceCommands: Command[] = [
  {
    name: 'workspace list',
    summary: 'List the workspaces, newest first.',
    options: {
      search: {
        type: 'string',
        value: 'text',
        meaning: "Only those with this in their name or their owner's email.",
      },
      page: {
        type: 'string',
        value: 'number',
        meaning: `A page has ${WORKSPACES_PER_PAGE} workspaces; default: 1.`,
      },
      ...JSON_OPTION,
    },
    async run(call, { readStore, print }) {
      const page = wholeNumber(call.text('page') ?? '1', 'page', 1)
      const query = { page, perPage: WORKSPACES_PER_PAGE, search: call.text('search') ?? '' }
      const { workspaces, total } = await readStore((db) => browseWorkspaces(db, query))
      if (call.isSet('json')) return print(JSON.stringify(workspaces.map(workspaceJson)))
      if (total === 0) return print('There are no such workspaces.')
      print(textTable(COLUMNS, workspaces.map(cellsOf)))
      const pages = Math.ceil(total / WORKSPACES_PER_PAGE)
      if (pages > 1) print(`Page ${page} of ${pages}. Choose another one with --page.`)
    },
  },
  {
    name: 'workspace show',
    words: WORKSPACE,
    summary: 'Show one workspace, by its ID or name.',
    options: JSON_OPTION,
    async run(call, { readConfig, readStore, print }) {
      const { linksMax } = readConfig()
      const { workspace, linkLimit } = await readStore(async (db) => {
        const workspace = await workspaceByIdOrName(db, call.words[0]!)
        return { workspace, linkLimit: await linkLimitOf({ db, linksMax }, workspace.id) }
      })
      if (call.isSet('json'))
        return print(JSON.stringify({ ...workspaceJson(workspace), link_limit: linkLimit }))
      const limit = linkLimit === null ? 'no limit' : String(linkLimit)
      print(textTable([...COLUMNS, 'link limit'], [[...cellsOf(workspace), limit]]))
    },
  },
  {
    name: 'workspace plan',
    words: [...WORKSPACE, '<plan>'],
    summary: `Assign a plan to a workspace: ${PLAN_NAMES.join(', ')}.`,
    async run(call, { withStore, clock, print }) {
      const plan = call.words[1]!
      const { id, name } = await withStore(async (db) => {
        const workspace = await workspaceByIdOrName(db, call.words[0]!)
        await changeWorkspace({ db, clock }, COMMAND_LINE, {
          workspaceId: workspace.id,
          ...validated(workspaceChange, { plan }),
        })
        return workspace
      })
      print(`Workspace ${id} (${name}) is now on the plan ${plan}.`)
    },
  },
  {
    name: 'workspace suspend',
    words: WORKSPACE,
    summary:
      'Refuse the keys of a workspace, and show visitors of its links a notice. Members of no other workspace cannot sign in.',
    options: JSON_OPTION,
    async run(call, { withStore, clock, print }) {
      const workspace = await withStore(async (db) => {
        const { id } = await workspaceByIdOrName(db, call.words[0]!)
        await suspendWorkspace({ db, clock, redirectState: ANNOUNCED_BY_STORE }, COMMAND_LINE, id)
        return workspaceById(db, id)
      })
      const { id, name } = workspace
      print(
        call.isSet('json')
          ? JSON.stringify(workspaceJson(workspace))
          : `Workspace ${id} (${name}) is suspended.`,
      )
    },
  },
  {
    name: 'workspace reinstate',
    words: WORKSPACE,
    summary: 'Undo a suspension: the keys, links and members of the workspace work again.',
    options: JSON_OPTION,
    async run(call, { withStore, clock, print }) {
      const workspace = await withStore(async (db) => {
        const { id } = await workspaceByIdOrName(db, call.words[0]!)
        await reinstateWorkspace({ db, clock, redirectState: ANNOUNCED_BY_STORE }, COMMAND_LINE, id)
        return workspaceById(db, id)
      })
      const { id, name } = workspace
      print(
        call.isSet('json')
          ? JSON.stringify(workspaceJson(workspace))
          : `Reinstated workspace ${id} (${name}).`,
      )
    },
  },
]

const COLUMNS = ['id', 'name', 'owner', 'plan', 'members', 'links', 'suspended', 'created']

const cellsOf = (workspace: ManagedWorkspace): string[] => [
  String(workspace.id),
  workspace.name,
  workspace.ownerEmail ?? '',
  workspace.plan,
  String(workspace.members),
  String(workspace.links),
  workspace.suspendedAtUs === null ? 'no' : 'yes',
  isoMicroseconds(workspace.createdAtUs).slice(0, 19) + 'Z',
]

const workspaceJson = (workspace: ManagedWorkspace) => ({
  id: workspace.id,
  name: workspace.name,
  owner: workspace.ownerEmail,
  plan: workspace.plan,
  rate_limit: workspace.rateLimit,
  members: workspace.members,
  links: workspace.links,
  suspended_at: isoOrNull(workspace.suspendedAtUs),
  created_at: isoMicroseconds(workspace.createdAtUs),
})
