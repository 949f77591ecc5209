import { pendingMigrations } from '../store/migrations/migrations.ts'
import { fault, type Problem, warning } from './finding.ts'

/** What a start would say about tables that have had these migrations. */
export function schemaComplaints(applied: readonly string[]): Problem[] {
  try {
    const pending = pendingMigrations(applied)
    return pending.length === 0
      ? []
      : [warning(`The next start migrates the tables (${pending.join(', ')}).`)]
  } catch (error) {
    return [fault((error as Error).message)]
  }
}
