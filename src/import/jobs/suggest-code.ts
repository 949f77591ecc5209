import { importedCodeFault, isReservedOn } from '../../codes/unusual-code.ts'
import { keyText, type LinkKey } from '../../links/link-key.ts'
import type { CurrentDb } from '../../store/handles.ts'

/** `winter-2` to `winter-10`. */
const NUMBERS = Array.from({ length: 9 }, (_, at) => at + 2)

/** `isUsed`: in the source, under which a link follows. */
export type TakenKey = LinkKey & { isUsed?: (code: string) => boolean }

/**
 * A code like each of these that nobody has, by the text of the key: `winter-2` for `winter`. None where all of them are used, or
 * cannot be codes.
 */
export async function suggestCodes(
  { db }: { db: CurrentDb },
  keys: readonly TakenKey[],
): Promise<Map<string, string>> {
  const candidates = keys.flatMap((key) => candidatesOf(key))
  if (candidates.length === 0) return new Map()
  const usedKeys = await findUsed({ db }, candidates)
  const suggestions = new Map<string, string>()
  for (const key of keys) {
    const free = candidatesOf(key).find(
      (each) => !usedKeys.has(keyText(each)) && key.isUsed?.(each.code) !== true,
    )
    if (free === undefined) continue
    usedKeys.add(keyText(free))
    suggestions.set(keyText(key), free.code)
  }
  return suggestions
}

const candidatesOf = ({ domainId, code }: LinkKey): LinkKey[] =>
  NUMBERS.map((number) => ({ domainId, code: `${code}-${number}` })).filter((each) => !cannotBe(each))

/** Why no link can have the code, even if it is free. */
export function cannotBe({ domainId, code }: LinkKey): string | undefined {
  const fault = importedCodeFault(code)
  if (fault !== undefined) return fault
  return isReservedOn(domainId, code) ? 'This server uses the code for itself.' : undefined
}

/** Those of the keys that open a link or did once, of any workspace. */
export async function findUsed({ db }: { db: CurrentDb }, keys: readonly LinkKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('codes')
    .select(['code', 'domain_id as domainId'])
    .where('code', 'in', [...new Set(keys.map(({ code }) => code))])
    .where('domain_id', 'in', [...new Set(keys.map(({ domainId }) => domainId))])
    .execute()
  return new Set(rows.map(keyText))
}
