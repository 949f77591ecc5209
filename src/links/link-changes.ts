import type { Caller } from '../access/caller.ts'
import type { AuditAction } from '../audit/audit-actions.ts'
import { CHANGES_CHARS_MAX, changesText, type FieldChanges } from '../audit/changes-text.ts'
import { type Change, recordChanges } from '../audit/record-change.ts'
import type { Tx } from '../store/handles.ts'
import { DEFAULT_DOMAIN } from '../codes/code-rules.ts'
import type { LinkKey } from './link-key.ts'
import type { Link } from './link.ts'
import { type BasicName, hasOptions, optionViews, type ShownOptions, shownOptions } from './link-fields.ts'

// What the audit log says about changes of links.

/** A link that was changed; `changes` is empty where there is nothing to compare. */
export type ChangedLink = LinkKey & { id: number; changes: FieldChanges }

type LinkChange = { nowUs: number; action: AuditAction; links: readonly ChangedLink[] }

export async function recordLinkChanges(tx: Tx, caller: Caller, change: LinkChange): Promise<void> {
  if (change.links.length > 0) await recordChanges(tx, caller, linkEntries(await withHosts(tx, change)))
}

/** Codes with the hosts of their domains; a code on the default domain stands alone. */
export async function withHosts(tx: Tx, change: LinkChange): Promise<LinkChange> {
  const domainIds = new Set(change.links.map(({ domainId }) => domainId))
  domainIds.delete(DEFAULT_DOMAIN)
  if (domainIds.size === 0) return change
  const domains = await tx
    .selectFrom('domains')
    .select(['id', 'host'])
    .where('id', 'in', [...domainIds])
    .execute()
  const hosts = new Map(domains.map(({ id, host }) => [id, host]))
  const links = change.links.map((link) => {
    const host = hosts.get(link.domainId)
    return host === undefined ? link : { ...link, code: `${host}/${link.code}` }
  })
  return { ...change, links }
}

/** Space in an entry for what is not about one of its links. */
const FRAME_CHARS = 1_000

/** One entry for all the links of a request. If that is too long, several, so that each names its links and what they got. */
export function linkEntries(change: LinkChange): Change[] {
  const whole = linkChange(change)
  if (change.links.length === 1 || sizeOf(whole.changes) <= CHANGES_CHARS_MAX) return [whole]
  const parts: ChangedLink[][] = []
  let size = Infinity
  for (const link of change.links) {
    const changes: FieldChanges = JSON.parse(changesText(link.changes))
    const linkSize = sizeOf({ ...link, changes })
    if (size + linkSize > CHANGES_CHARS_MAX) {
      parts.push([])
      size = FRAME_CHARS
    }
    parts.at(-1)!.push({ ...link, changes })
    size += linkSize
  }
  return parts.map((links) => linkChange({ ...change, links }))
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length

function linkChange({ nowUs, action, links }: LinkChange): Change {
  const [first, ...more] = links
  if (more.length === 0)
    return { nowUs, action, target: first!.code, targetId: first!.id, changes: first!.changes }
  const common = commonChanges(links)
  const entries = links.map(({ id, code, changes }) => {
    const own = Object.entries(changes).filter(([name]) => common[name] === undefined)
    const rest = own.length === 0 ? {} : { changes: Object.fromEntries(own) }
    return { id, short_code: code, ...rest }
  })
  const changes = { ...common, links: { from: null, to: entries } }
  return { nowUs, action, target: `${links.length} links`, changes }
}

/** What is the same for all of them. */
function commonChanges([first, ...more]: readonly ChangedLink[]): FieldChanges {
  const isCommon = ([name, change]: [string, FieldChanges[string]]) => {
    const text = JSON.stringify(change)
    return more.every(({ changes }) => JSON.stringify(changes[name]) === text)
  }
  return Object.fromEntries(Object.entries(first!.changes).filter(isCommon))
}

type WithPassword = { password_hash: string | null }

/** A password itself is nowhere, and its hash not in the log. */
export function withoutSecrets(
  { has_password: password, ...changes }: FieldChanges,
  before: WithPassword,
  after: WithPassword,
): FieldChanges {
  if (password === undefined) return changes
  const from = before.password_hash === null ? null : PASSWORD_SET
  const to = after.password_hash === null ? null : from === null ? PASSWORD_SET : 'changed'
  return { ...changes, password: { from, to } }
}

const PASSWORD_SET = 'set'

type NewLink = Pick<
  Link,
  | 'id'
  | 'domainId'
  | 'code'
  | 'originalUrl'
  | 'title'
  | 'isActive'
  | 'aliases'
  | 'tags'
  | 'folder'
  | 'options'
>

const PLAIN_OPTIONS: Record<string, unknown> = optionViews(shownOptions({}))

/** What was set as the link was created, beside what every link has. */
export function createdLink({ id, domainId, code, ...link }: NewLink): ChangedLink {
  const basic: Record<BasicName, unknown> = {
    original_url: link.originalUrl,
    title: link.title || null,
    is_active: link.isActive ? null : false,
    aliases: link.aliases.length === 0 ? null : link.aliases,
    tags: link.tags.length === 0 ? null : link.tags,
    folder: link.folder,
  }
  const fields = hasOptions(link.options) ? { ...basic, ...optionsSet(link.options) } : basic
  const changes: FieldChanges = {}
  for (const [name, to] of Object.entries(fields))
    if (to !== null && to !== PLAIN_OPTIONS[name]) changes[name] = { from: null, to }
  return { id, domainId, code, changes }
}

function optionsSet(shown: ShownOptions): Record<string, unknown> {
  const { has_password: hasPassword, ...options } = optionViews(shown)
  return { ...options, password: hasPassword ? PASSWORD_SET : null }
}
