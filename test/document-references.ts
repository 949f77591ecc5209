import { Glob } from 'bun'
import { dirname, join, normalize } from 'node:path'

/**
 * What a document has in backticks, written as a path or file name of the project, and no file has: `src/links/edit-link.ts`,
 * `src/links/`, `dashboard/**`, or a name such as `edit-link.ts` by itself.
 */
export function missingPaths(markdown: string, paths: readonly string[]): string[] {
  const folders = new Set(paths.flatMap(foldersOf))
  const topFolders = new Set([...folders].filter((folder) => !folder.includes('/')))
  const isPath = (word: string) => word.includes('/') && topFolders.has(word.split('/')[0]!)
  const exists = (word: string) => {
    const glob = new Glob((isPath(word) ? '' : '**/') + word.replace(/\/$/, ''))
    return [...paths, ...folders].some((path) => glob.match(path))
  }
  const words = [...markdown.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => code!.split(/[\s,]+/))
  return words.filter(
    (word) => /^[\w@./*-]+$/.test(word) && (isPath(word) || /\.tsx?$/.test(word)) && !exists(word),
  )
}

/** The links of a document that lead to no file or heading. `documents` are the texts of all documents by their paths. */
export function brokenLinks(
  path: string,
  documents: ReadonlyMap<string, string>,
  paths: readonly string[],
): string[] {
  const existing = new Set([...paths, ...paths.flatMap(foldersOf)])
  const links = [...documents.get(path)!.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const linked = file === '' ? path : normalize(join(dirname(path), file)).replace(/\/$/, '')
    if (!existing.has(linked)) return true
    return anchor !== undefined && !anchorsOf(documents.get(linked) ?? '').has(anchor)
  })
}

const foldersOf = (path: string): string[] => {
  const names = path.split('/')
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join('/'))
}

/** As GitHub makes them. */
const anchorsOf = (markdown: string): Set<string> =>
  new Set(
    [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
