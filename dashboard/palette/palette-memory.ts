import { isSameAddress, type LinkAddress } from '../links/link-address.ts'

// What a user opened and ran last, in this browser only: it is nobody else's business.

/** Shown, of one workspace. */
const LINKS_MAX = 5
/** Kept, of all workspaces together. */
const OPENED_MAX = 50

/** A link, and the workspace that it was opened in: in another one it is not there. */
type RecentLink = LinkAddress & { workspaceId: number }
type Memory = { opened: RecentLink[]; actions: Record<string, number> }

const keyOf = (userId: number) => `tern-palette-${userId}`

function read(userId: number): Memory {
  try {
    const memory = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '{}') as Partial<Memory> | null
    const recent = Array.isArray(memory?.opened) ? memory.opened.filter(isOpened) : []
    const actions = Object.entries(memory?.actions ?? {}).filter(([, count]) => Number.isFinite(count))
    return { opened: recent.slice(0, OPENED_MAX), actions: Object.fromEntries(actions) }
  } catch {
    return { opened: [], actions: {} }
  }
}

function write(userId: number, memory: Memory): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(memory))
  } catch {
    // The browser's storage is full, or switched off.
  }
}

const isOpened = (link: Partial<RecentLink> | null): boolean =>
  typeof link?.short_code === 'string' &&
  typeof link.domain === 'string' &&
  typeof link.workspaceId === 'number'

/** A user, and the workspace that they work in. */
type UserInWorkspace = { id: number; workspace: { id: number } }

/** The links of the workspace that were opened last, the latest first. */
export const recentLinks = ({ id, workspace }: UserInWorkspace): LinkAddress[] =>
  read(id)
    .opened.filter(({ workspaceId }) => workspaceId === workspace.id)
    .slice(0, LINKS_MAX)

export function noteOpened({ id, workspace }: UserInWorkspace, link: LinkAddress): void {
  const { opened, ...rest } = read(id)
  const latest = { ...link, workspaceId: workspace.id }
  const others = opened.filter(
    (each) => each.workspaceId !== latest.workspaceId || !isSameAddress(each, latest),
  )
  write(id, { ...rest, opened: [latest, ...others].slice(0, OPENED_MAX) })
}

/** How often an action was run. */
export const usesOf = (userId: number): Readonly<Record<string, number>> => read(userId).actions

export function noteUse(userId: number, action: string): void {
  const { actions, ...rest } = read(userId)
  write(userId, { ...rest, actions: { ...actions, [action]: (actions[action] ?? 0) + 1 } })
}
