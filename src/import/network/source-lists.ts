import { Refusal } from '../../errors/refusal.ts'
import type { PageClient } from './page-client.ts'
import { newItems } from './paged-items.ts'
import type { NamedLists, SourceApi } from './source-api.ts'

/** A group, domain or workspace that a key has at a source. Each has its own links. */
export type SourceList = { id: string; name: string }

const WHOLE = ['']
/** In a sentence about another one. */
const NAMES_MAX = 20

/** The lists of links to read: all, or those with this ID or name. */
export async function chosenLists(
  client: PageClient,
  { lists = WHOLE }: Pick<SourceApi, 'lists'>,
  choice: string | undefined,
): Promise<readonly string[]> {
  if (!hasNames(lists)) {
    if (choice !== undefined)
      throw new Refusal('command_failed', `The links of ${client.title} are one list: leave out --list.`)
    return lists
  }
  const all = await Array.fromAsync(sourceLists(client, lists))
  if (choice === undefined) return all.map(({ id }) => id)
  const chosen = all.filter(({ id, name }) => id === choice || name === choice)
  if (chosen.length > 0) return chosen.map(({ id }) => id)
  const names = all.slice(0, NAMES_MAX).map(({ name }) => name)
  throw new Refusal(
    'command_failed',
    `${client.title} has no ${lists.noun} "${choice}". There are: ${names.join(', ')}.`,
  )
}

/** Whether an account has several lists, which users know by their names. */
export const hasNames = (lists: SourceApi['lists']): lists is NamedLists =>
  lists !== undefined && 'request' in lists

export async function* sourceLists(client: PageClient, lists: NamedLists): AsyncGenerator<SourceList> {
  for await (const objects of newItems(client, lists, WHOLE))
    for (const object of objects) {
      const id = lists.id(object)
      if (id !== undefined) yield { id, name: lists.name(object) ?? id }
    }
}
