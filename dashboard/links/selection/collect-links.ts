import type { LinksQuery, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { listLinks } from '../../listed-links.ts'

/** More are not selected at once. */
export const SELECTED_LINKS_MAX = 10_000
const PER_PAGE = 100

type Collecting = { total: number; onProgress: (done: number) => void }

/** The links of all pages of a list, one page after another. Rows move while they are read: each is there once. */
export async function collectLinks(query: LinksQuery, { total, onProgress }: Collecting): Promise<OwnLink[]> {
  const links = new Map<number, OwnLink>()
  const pages = Math.ceil(Math.min(total, SELECTED_LINKS_MAX) / PER_PAGE)
  for (let page = 1; page <= pages; page++) {
    const { data } = await listLinks({ ...query, page, per_page: PER_PAGE })
    for (const { sparkline: _, ...link } of data) links.set(link.id, link)
    if (page < pages) onProgress(links.size)
  }
  return [...links.values()]
}
