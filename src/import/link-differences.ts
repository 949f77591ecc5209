import { isDeepStrictEqual } from 'node:util'
import { foldedName } from '../links/labels/label.ts'
import type { Link } from '../links/link.ts'
import type { ImportedLink } from './import-fields.ts'
import { linkColumns, optionViews, shownOptions } from '../links/link-fields.ts'
import { withoutHashing } from '../links/link-password.ts'

/** A field of an imported link, by its name in requests, that the link here has otherwise. */
export type LinkDifference = { field: string; here: unknown; imported: unknown }

type Views = Record<string, unknown>

/** Names in requests that responses do not have. */
const SHOWN_AS: Record<string, string> = {
  url: 'original_url',
  password: 'has_password',
  password_hash: 'has_password',
}

/** What was sent and is otherwise here. Of passwords, only whether there is one is known. */
export function linkDifferences(link: Link, imported: ImportedLink, sent: Views): LinkDifference[] {
  const here = viewsOf(link)
  const theirs = importedViews(imported)
  return Object.keys(sent).flatMap((field) => {
    const name = SHOWN_AS[field] ?? field
    if (sent[field] == null || !Object.hasOwn(here, name)) return []
    if (isDeepStrictEqual(comparable(name, here[name]), comparable(name, theirs[name]))) return []
    return [{ field, here: here[name], imported: theirs[name] }]
  })
}

const viewsOf = ({ originalUrl, title, isActive, aliases, tags, folder, options }: Link): Views => ({
  original_url: originalUrl,
  title,
  is_active: isActive,
  aliases,
  tags,
  folder,
  ...optionViews(options),
})

const importedViews = (link: ImportedLink): Views => ({
  original_url: link.original_url.text,
  title: link.title,
  is_active: link.is_active,
  aliases: link.aliases,
  tags: link.tags,
  folder: link.folder ?? null,
  ...optionViews(shownOptions(linkColumns(withoutHashing(link)))),
})

/** Lists in one order, and labels without case. */
function comparable(name: string, value: unknown): unknown {
  if (name === 'tags') return (value as string[]).map((tag) => foldedName({ kind: 'tag', name: tag })).sort()
  if (name === 'aliases') return (value as string[]).toSorted()
  if (name === 'folder' && value !== null) return foldedName({ kind: 'folder', name: value as string })
  return value
}

/** Nothing is there that an import could overwrite. */
export const isEmptyHere = ({ here }: LinkDifference): boolean =>
  here === null || here === '' || (Array.isArray(here) && here.length === 0)
