import { DuckDbConnection } from '../../../src/clicks/parquet/duckdb.ts'
import { serveEngine } from '../../../src/clicks/parquet/serve-engine.ts'
import { DeathAtNth } from './die-at-nth.ts'

/** Serves the click engine, and is killed right before the n-th statement, or part of a file that is read for its SHA-256. */
const [nth, dataDir] = process.argv.slice(2)
const death = new DeathAtNth(Number(nth))
death.watch(DuckDbConnection.prototype, 'all', 'append')
death.watch(Bun.CryptoHasher.prototype, 'update')
await serveEngine(dataDir!)
