import { changeLinks } from '../links/change-links.ts'
import { type CreatedLink, createLinks } from '../links/create-links.ts'
import { hashLinkPasswords, hasPassword, withoutHashing } from '../links/link-password.ts'
import type { PlacedLink } from '../links/reuse-links.ts'
import { transact } from '../store/transact.ts'
import type { ImportCounts } from './import-fields.ts'
import { countsOf, type Import, type Item, type PlacedItem, withoutRefused } from './imported-items.ts'
import { keepClicksOfCreated } from './keep-clicks.ts'
import { addResults } from './records/add-results.ts'

/** Creates what is not here, and adds the results of all links to the import that they are part of. */
export async function createItems(all: Import, items: readonly PlacedItem[]): Promise<void> {
  const { request, outcomes } = all
  const unhashed = items.map((item) => ({ ...item, link: withoutHashing(item.link) }))
  const isTried = request.isDryRun || items.some(({ link }) => hasPassword(link))
  // Passwords are hashed once it is known which links are accepted, so that refused ones cost no hash.
  const trial = isTried ? await create(all, unhashed, true) : { accepted: unhashed, value: [] }
  const created = request.isDryRun ? trial : await create(all, await hashed(all, items), false)
  for (const [at, { link, isNew }] of created.value.entries()) {
    const { index, link: sent } = created.accepted[at]!
    const isUnassigned = request.isDryRun && isNew && sent.custom_code === undefined
    const key = isUnassigned ? {} : { key: { domainId: link.domainId, code: link.code } }
    outcomes.set(index, { result: isNew ? 'created' : 'equal', ...key })
  }
}

type UncreatedItem = Item & { link: PlacedLink }

const create = (all: Import, items: readonly UncreatedItem[], isDryRun: boolean) =>
  withoutRefused(all, items, async (some) => {
    if (some.length === 0) return isDryRun ? [] : countWithoutNew(all)
    const { deps, caller, request } = all
    const links = some.map(({ link }) => ({ ...link, importId: request.importId }))
    return changeLinks(deps, { claimsCodes: true, isDryRun }, async (change) => {
      // The row of the import is locked first, as by its undo.
      if (!isDryRun) await addResults(change, all, withNew(countsOf(all.outcomes.values()), links.length))
      const created = await createLinks({ ...change, linksMax: deps.linksMax }, caller, links)
      await keepClicksOfCreated(
        change,
        all,
        created.map((each, at) => ({ ...each, item: some[at]! })),
      )
      const equal = created.filter(({ isNew }) => !isNew).length
      if (!isDryRun && equal > 0) await addResults(change, all, { created: -equal, equal })
      return created
    })
  })

const withNew = (counts: ImportCounts, count: number) => ({ ...counts, created: counts.created + count })

async function countWithoutNew(all: Import): Promise<CreatedLink[]> {
  const { deps, request, outcomes } = all
  if (request.importId !== undefined) {
    const counts = countsOf(outcomes.values())
    await transact(deps.db, (tx) => addResults({ tx }, all, counts))
  }
  return []
}

/** Those that are not refused, with hashes instead of passwords. */
async function hashed({ deps, caller, request, outcomes }: Import, items: readonly PlacedItem[]) {
  const accepted = items.filter(({ index }) => !outcomes.has(index))
  const hashing = { workspaceId: caller.workspaceId, signal: request.signal }
  const links = await hashLinkPasswords(
    deps.passwords,
    hashing,
    accepted.map(({ link }) => link),
  )
  return accepted.map((item, at) => ({ ...item, link: links[at]! }))
}
