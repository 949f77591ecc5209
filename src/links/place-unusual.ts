import type { Caller } from '../access/caller.ts'
import { type CodeStyle, PLAIN_CODE_STYLE } from '../codes/code-style.ts'
import { isReservedOn } from '../codes/unusual-code.ts'
import { codedSentences } from '../errors/field-codes.ts'
import { refuseFaults } from '../errors/refusal.ts'
import { NO_DOMAIN } from './domains/domain-hosts.ts'
import type { NewLink } from './link-fields.ts'
import { type DomainsOfCallers, placeLinks } from './place-links.ts'

/** What workspaces have chosen for the codes of new links. `codeStyle` is undefined until they have. */
export type CodesOfWorkspaces = {
  of(
    caller: Pick<Caller, 'workspaceId'>,
  ): Promise<{ codeStyle: CodeStyle | undefined; allowsUnusual: boolean }>
}

export type PlacingDeps = { domains: DomainsOfCallers; codeSettings: CodesOfWorkspaces }

/** Links with any codes on their domains, which decide what is reserved, and with the style of the codes that are assigned. */
export async function placeUnusual(
  { domains, codeSettings }: PlacingDeps,
  caller: Caller,
  links: readonly NewLink[],
) {
  const placed = placeLinks(domains, caller, links)
  refuseFaults(
    placed.flatMap(({ domainId, custom_code: own, aliases }, index) =>
      [own, ...aliases].flatMap((code, at) => {
        if (code === undefined || !isReservedOn(domainId, code)) return []
        return [
          { index, field: at === 0 ? 'custom_code' : `aliases.${at - 1}`, sentences: codeReserved(code) },
        ]
      }),
    ),
  )
  const codeStyle = styleFor(caller, (await codeSettings.of(caller)).codeStyle)
  return placed.map((link) => ({ ...link, codeStyle }))
}

/** The prefix of a key is in place of that of the workspace. */
function styleFor({ restrictions }: Caller, codeStyle: CodeStyle | undefined): CodeStyle | undefined {
  const prefix = restrictions?.code_prefix
  return prefix === undefined ? codeStyle : { ...(codeStyle ?? PLAIN_CODE_STYLE), prefix }
}

/** For a code that isReservedOn the domain. */
export const codeReserved = (code: string) =>
  codedSentences([
    {
      sentence: isReservedOn(NO_DOMAIN, code)
        ? 'This server uses the code for itself on every domain.'
        : 'This server uses the code for itself on this domain. Put such links on a domain of their own.',
      code: 'code_reserved',
    },
  ])
