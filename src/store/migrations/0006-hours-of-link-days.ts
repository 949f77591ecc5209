import { type Kysely, sql } from 'kysely'

/** The running day is summed up too, hour by hour: what was the last day done is now the hour to go on with. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`UPDATE link_days_progress SET summed_to = (summed_to + 1) * 24 WHERE summed_to > 0`.execute(db)
  await sql`UPDATE link_days_progress SET begun_to = (begun_to + 1) * 24 WHERE begun_to > 0`.execute(db)
}
