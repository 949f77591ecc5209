import type { Database } from '../../../src/store/schema.ts'
import { withPlugin } from '../program/with-plugin.ts'
import { kyselyOf } from '../../../src/store/handles.ts'
import type { Kysely, KyselyPlugin } from 'kysely'
import type { Store } from '../../../src/store/open-store.ts'

/** The store, with a handle whose n-th statement from now on fails, once, after the database has carried it out. */
export function failingAtStatement(store: Store, nth: number) {
  let seen = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      seen++
      if (seen === nth) throw new Error(`Statement ${nth} has failed.`)
      return result
    },
  }
  return { store: { ...store, clicksDb: withPlugin(store.clicksDb, plugin) }, hasFailed: () => seen >= nth }
}

/** The store, with a handle whose next transaction is committed but reported as failed. */
export function losingOneResponse(store: Store): Store {
  let isLost = false
  const transaction = (db: Kysely<Database>) => ({
    async execute(work: Parameters<ReturnType<Kysely<Database>['transaction']>['execute']>[0]) {
      const result = await db.transaction().execute(work)
      if (isLost) return result
      isLost = true
      throw new Error('The answer to the commit was lost.')
    },
  })
  const clicksDb = new Proxy(store.clicksDb, {
    get(db, name) {
      if (name === 'transaction') return () => transaction(kyselyOf(db))
      const member: unknown = Reflect.get(db, name, db)
      return typeof member === 'function' ? member.bind(db) : member
    },
  })
  return { ...store, clicksDb }
}
