import type { KyselyPlugin } from 'kysely'
import { type AnyDb, kyselyOf } from '../../../src/store/handles.ts'

/** The handle, with a plugin that sees every statement and result. */
export const withPlugin = <Db extends AnyDb>(db: Db, plugin: KyselyPlugin): Db =>
  kyselyOf(db).withPlugin(plugin) as unknown as Db
