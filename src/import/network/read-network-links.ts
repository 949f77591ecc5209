import type { LinkSelection } from '../link-choices.ts'
import type { SourceItem } from '../source.ts'
import { type ClickChoice, ClickHistoryReader } from './click-history-reader.ts'
import type { PageClient } from './page-client.ts'
import { newItems } from './paged-items.ts'
import type { NetworkSource } from './source-api.ts'
import { chosenLists } from './source-lists.ts'

/** `clicks`: absent for the usual choice. `list`: the ID or name of the only list that is read. */
export type NetworkChoices = {
  clicks?: ClickChoice | undefined
  list?: string | undefined
  selection: LinkSelection
}

/** The links of a source, from all its pages. */
export async function* readNetworkLinks(
  client: PageClient,
  source: NetworkSource,
  { clicks, list, selection }: NetworkChoices,
): AsyncGenerator<SourceItem> {
  const lists = await chosenLists(client, source.api, list)
  const history = new ClickHistoryReader({ client, source, choice: clicks, selection })
  let count = 0
  for await (const objects of newItems(client, source.api.links, lists))
    for (const object of objects) yield* await history.withClicks(object, source.items(object, ++count))
  history.end()
}
