/** One line of the export. Times are ISO 8601, UTC. */
export type ExportLine = { type: string } & Record<string, unknown>

export const ROWS_AT_ONCE = 200

export type Page = { lines: ExportLine[]; last: number | undefined }
export type PagePosition = { workspaceId: number; after: number }

export async function* pages(read: (after: number) => Promise<Page>): AsyncGenerator<ExportLine[]> {
  for (let after = 0; ;) {
    const { lines, last } = await read(after)
    if (last === undefined) return
    if (lines.length > 0) yield lines
    after = last
  }
}
