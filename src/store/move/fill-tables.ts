import type { MoveSource, MoveTarget } from './move-side.ts'
import { MOVED_TABLES } from './moved-tables.ts'
import { counted, type TellProgress } from './progress.ts'

/** Writes all that the source has into the target, in place of what a move that was killed may have left there. */
export async function fillTables(tell: TellProgress, source: MoveSource, target: MoveTarget): Promise<void> {
  await target.fill(
    async (into) => {
      await into.prepareClickDays(await source.clickDays())
      for (const table of MOVED_TABLES) {
        const columns = await source.columnsOf(table)
        const of = await source.count(table)
        const lines = counted(source.lines({ table, columns }), (rows) =>
          tell({ step: 'copy', table, rows, of }),
        )
        await into.write({ table, columns }, lines)
      }
      await into.setLastIds(await source.lastIds())
    },
    () => tell({ step: 'indexes' }),
  )
  await tell({ step: 'filled' })
}
