import { DAY_US, MINUTE_US } from '../../runtime/clock.ts'

/** Who deletes is offered to undo it for ten seconds; a slow network may take its time. */
const UNDO_US = MINUTE_US

/** Links deleted since then can be restored. With `TRASH_DAYS=0`, they are kept for undoing the deletion only. */
export const inTrashSinceUs = (nowUs: number, trashDays: number): number =>
  nowUs - Math.max(trashDays * DAY_US, UNDO_US)
