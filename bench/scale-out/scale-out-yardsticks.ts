import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOfLink } from '../rigs/make-links.ts'
import { cpuUs } from '../rigs/measure.ts'
import { databaseOf, type MeasuredPostgres } from '../rigs/measured-postgres.ts'
import { NginxServer } from '../rigs/nginx-server.ts'
import { runWrk, writeCrowdScript } from '../rigs/wrk.ts'

const NGINX_PORT = 18_392
const NGINX_CODES = 1_000
const CONNECTIONS = 64
const WARM_UP_SECONDS = 1
/** As many as one process has for what it writes. */
const CLIENTS = 8
const ROWS_AT_ONCE = 1_000

export type Yardstick = { name: string; perSecond: number; serverUs: number; clientUs: number | undefined }

type YardstickSetting = {
  postgres: MeasuredPostgres
  url: string
  folder: string
  script: string
  seconds: number
}

/** The least that any design has to do, on the same machine in the same minutes; per row, or per redirect. */
export async function yardsticks(place: YardstickSetting): Promise<Yardstick[]> {
  const { postgres, url, seconds } = place
  await postgres.server.run(
    `CREATE TABLE IF NOT EXISTS yardstick
      (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code TEXT DEFAULT gen_random_uuid()::text UNIQUE, url TEXT)`,
    databaseOf(url),
  )
  const insert = `INSERT INTO yardstick (url) SELECT 'https://www.example.com/some/landing/page'`
  const transactions = [
    { name: 'PostgreSQL, a bare row a commit', rows: 1, transaction: insert },
    {
      name: `PostgreSQL, ${ROWS_AT_ONCE} bare rows a commit`,
      rows: ROWS_AT_ONCE,
      transaction: `${insert} FROM generate_series(1, ${ROWS_AT_ONCE})`,
    },
    {
      name: 'PostgreSQL, a link by its id',
      rows: 1,
      transaction: String.raw`\set id random(1, 30000)
SELECT code, id, workspace_id, is_active, original_url FROM links WHERE id = :id`,
    },
  ]
  const found: Yardstick[] = [await nginx(place)]
  for (const { name, rows, transaction } of transactions) {
    const load = { transaction, clients: CLIENTS, seconds }
    const { transactions: done, perSecond, clientUs, postgresUs } = await postgres.pgbench(url, load)
    const all = rows * done
    found.push({ name, perSecond: rows * perSecond, serverUs: postgresUs / all, clientUs: clientUs / all })
  }
  return found
}

async function nginx({ folder, script, seconds }: YardstickSetting): Promise<Yardstick> {
  const codes = Array.from({ length: NGINX_CODES }, (_, i) => codeOfLink(i + 1))
  const redirects = codes.map((code): [string, string] => [
    `/${code}`,
    `https://www.example.com/landing/${code}`,
  ])
  const server = await NginxServer.start({ folder, port: NGINX_PORT, redirects, logs: true })
  try {
    writeCrowdScript(script, codes)
    const load = { port: NGINX_PORT, connections: CONNECTIONS, script }
    await runWrk({ ...load, seconds: WARM_UP_SECONDS })
    const before = cpuUs(server.worker)
    const { requests, perSecond } = await runWrk({ ...load, seconds })
    const serverUs = (cpuUs(server.worker) - before) / requests
    return { name: 'nginx, access log', perSecond, serverUs, clientUs: undefined }
  } finally {
    await server.stop()
    rmSync(join(folder, 'access.log'), { force: true })
  }
}
