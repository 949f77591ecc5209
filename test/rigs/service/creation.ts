import type { Caller } from '../../../src/access/caller.ts'
import { DEFAULT_DOMAIN } from '../../../src/codes/code-rules.ts'
import { type ChangeLinksDeps, changeLinks } from '../../../src/links/change-links.ts'
import { type CreatedLink, type CreateLinksDeps, createLinks } from '../../../src/links/create-links.ts'
import type { PlacedLink } from '../../../src/links/reuse-links.ts'

/** For changes of links without the service: nobody hears of them, and no log of codes is kept. */
export const UNHEARD = {
  changes: { changed() {} },
  codeLog: { async ready() {}, note() {}, async keep() {} },
  linksMax: {},
}

type UnplacedLink = Omit<PlacedLink, 'domainId'> & { domainId?: number }
type Deps = ChangeLinksDeps & Pick<CreateLinksDeps, 'linksMax'>

/** Creates links without a request, on the default domain unless they are on another. */
export const createUnasked = (
  deps: Deps,
  caller: Caller,
  links: readonly UnplacedLink[],
): Promise<CreatedLink[]> => creation(deps, caller, { links })

/** What creating them would return, or its refusal. */
export const tryToCreate = (
  deps: Deps,
  caller: Caller,
  links: readonly UnplacedLink[],
): Promise<CreatedLink[]> => creation(deps, caller, { links, isDryRun: true })

const creation = (
  deps: Deps,
  caller: Caller,
  { links, isDryRun }: { links: readonly UnplacedLink[]; isDryRun?: boolean },
) =>
  changeLinks(deps, { claimsCodes: true, isDryRun }, (change) => {
    const placed = links.map((link) => ({ domainId: DEFAULT_DOMAIN, ...link }))
    return createLinks({ ...change, linksMax: deps.linksMax }, caller, placed)
  })
