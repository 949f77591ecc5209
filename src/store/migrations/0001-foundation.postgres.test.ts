import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresSchema } from '../../../test/rigs/postgres-schema.ts'
import { findPostgres } from '../../../test/rigs/postgres-server.ts'
import { testPlace } from '../../../test/rigs/test-store.ts'
import { skipBecause } from '../../../test/skips.ts'

const DUMP = join(import.meta.dir, 'schema.postgres.sql')
const isMissing =
  findPostgres() === undefined && skipBecause('the tables of PostgreSQL', 'apt-get install postgresql')

test.skipIf(isMissing)(
  'the tables are those of schema.postgres.sql; to refresh it after a new migration, delete it and run this test',
  async () => {
    const { databaseUrl } = await testPlace('the tables', 'postgres')
    const dump = await postgresSchema(databaseUrl!)
    if (!existsSync(DUMP)) writeFileSync(DUMP, dump)
    expect(dump).toBe(readFileSync(DUMP, 'utf8'))
  },
)
