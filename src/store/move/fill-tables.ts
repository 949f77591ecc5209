import type { MoveSource, MoveDestination } from './move-endpoint.ts'
import { MOVED_TABLES } from './moved-tables.ts'
import { counted, type ReportProgress } from './progress.ts'

/** Copies the source into the destination, replacing what a killed move may have left there. */
export async function fillTables(
  report: ReportProgress,
  source: MoveSource,
  destination: MoveDestination,
): Promise<void> {
  await destination.fill(
    async (into) => {
      await into.prepareClickDays(await source.clickDays())
      for (const table of MOVED_TABLES) {
        const columns = await source.columnsOf(table)
        const of = await source.count(table)
        const lines = counted(source.lines({ table, columns }), (rows) =>
          report({ step: 'copy', table, rows, of }),
        )
        await into.write({ table, columns }, lines)
      }
      await into.setLastIds(await source.lastIds())
    },
    () => report({ step: 'indexes' }),
  )
  await report({ step: 'filled' })
}
