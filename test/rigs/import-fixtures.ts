import { afterAll } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openImportFile } from '../../src/import/files/import-file.ts'
import { SOURCES } from '../../src/import/sources/all-sources.ts'
import type { SourceItem, SourceLink, SourceOptions } from '../../src/import/source.ts'
import { temporaryFolders } from './temporary-folders.ts'

/** A file of `test/fixtures/import/`. */
export const fixture = (path: string): string => join(import.meta.dir, '../fixtures/import', path)

const folders = temporaryFolders()
afterAll(folders.remove)

/** A file with this content, until the tests end. */
export function temporaryFile(content: string | Uint8Array): string {
  const path = join(folders.make(), 'links')
  writeFileSync(path, content)
  return path
}

export async function itemsOf(
  source: string,
  path: string,
  options: Partial<SourceOptions> = {},
): Promise<SourceItem[]> {
  const file = await openImportFile(path)
  const { items } = await SOURCES[source]!.open(file, { columns: new Map(), ...options })
  return Array.fromAsync(items)
}

/** The links of a file in which nothing is refused. */
export async function linksOf(
  source: string,
  path: string,
  options: Partial<SourceOptions> = {},
): Promise<SourceLink[]> {
  return (await itemsOf(source, path, options)).map((item) => {
    if ('refused' in item) throw new Error(`${item.at} is refused: ${item.refused}`)
    return item.link
  })
}
