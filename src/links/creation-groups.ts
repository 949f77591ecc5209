import type { Caller } from '../access/caller.ts'
import type { LinksMax } from '../config/links-by-plan.ts'
import { type ChangeLinksDeps, changeLinks } from './change-links.ts'
import { createPlainLinks, isPlain } from './create-links.ts'
import { hasLinkLimits } from './link-limit.ts'
import type { Link } from './link.ts'
import type { PlacedLink } from './reuse-links.ts'

/** A group holds up everybody else who writes. */
const LINKS_MAX = 64

type GroupDeps = ChangeLinksDeps & { linksMax: LinksMax }

type Group = { newLinks: PlacedLink[]; created: Promise<Link[]> }

/** Creates plain links of a caller that arrive at once in one transaction, with one statement for each table. */
export class CreationGroups {
  readonly #deps: GroupDeps
  /** Those that have not begun to write, by caller. */
  readonly #open = new Map<string, Group>()

  constructor(deps: GroupDeps) {
    this.#deps = deps
  }

  /** Whether a request can join a group: for one plain link, and no limit has to be counted. */
  accepts({ restrictions }: Caller, newLinks: readonly PlacedLink[]): boolean {
    const [link, ...more] = newLinks
    const isLimited = restrictions?.links_per_day !== undefined || hasLinkLimits(this.#deps.linksMax)
    return link !== undefined && more.length === 0 && isPlain(link) && !isLimited
  }

  async create(caller: Caller, newLink: PlacedLink): Promise<Link> {
    const { workspaceId, userId, keyId, actor, client } = caller
    const id = JSON.stringify([workspaceId, userId, keyId, actor, client])
    const group = this.#open.get(id) ?? this.#begin(id, caller)
    const at = group.newLinks.push(newLink) - 1
    if (group.newLinks.length === LINKS_MAX) this.#close(id, group)
    return (await group.created)[at]!
  }

  #begin(id: string, caller: Caller): Group {
    const newLinks: PlacedLink[] = []
    const created = changeLinks(this.#deps, { claimsCodes: true }, (change) => {
      this.#close(id, group)
      return createPlainLinks(change, caller, newLinks)
    })
    const group: Group = { newLinks, created: created.finally(() => this.#close(id, group)) }
    this.#open.set(id, group)
    return group
  }

  #close(id: string, group: Group): void {
    if (this.#open.get(id) === group) this.#open.delete(id)
  }
}
