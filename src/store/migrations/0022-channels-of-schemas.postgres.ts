import { type Kysely, sql } from 'kysely'

/** A channel belongs to the database, so installations in several schemas need one each. That of `public` keeps its name. */
const NOTIFY = `PERFORM pg_notify(concat_ws('_', 'tern_changes', nullif(TG_TABLE_SCHEMA, 'public')), '')`

const FUNCTIONS = {
  note_link_change:
    'INSERT INTO changes (domain_id, code) SELECT domain_id, code FROM codes WHERE link_id = old.id',
  note_code_change: 'INSERT INTO changes (domain_id, code) VALUES (old.domain_id, old.code)',
  note_block_change: 'INSERT INTO changes (code) VALUES (NULL)',
}

export async function up(db: Kysely<any>): Promise<void> {
  for (const [name, insert] of Object.entries(FUNCTIONS)) {
    await sql
      .raw(
        `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${insert};
    ${NOTIFY};
    RETURN NULL;
  END $$`,
      )
      .execute(db)
  }
}
