/**
 * How long visitors and callers wait for a server that starts, by how far the code log and the database are apart.
 *
 *   npm run bench:code-log                     a million links
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount } from '../src/users/sign-up/create-account.ts'
import { issueKey } from '../src/api-keys/issue-key.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { codeLogPath } from '../src/codes/log/read-code-log.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { codeOfLink, makeLinks } from './rigs/make-links.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'

const LINKS = Number(process.env.LINKS ?? 1_000_000)
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const PORT = 18_384
const TARGET_MS = 500
const MAIN = join(import.meta.dir, '../src/cli/main.ts')
const URL_OF_SERVER = `http://127.0.0.1:${PORT}`

const dataDir = mkdtempSync(join(tmpdir(), 'tern-bench-'))
try {
  const key = await makeFolder()
  const rows = [
    await measured('the code log is made again', key, () => rmSync(codeLogPath(dataDir), { force: true })),
    await measured('after an orderly end', key, () => {}),
    await measured('after kill -9', key, () => {}, 'SIGKILL'),
  ]
  console.log(`\n${machine()}; ${LINKS.toLocaleString('en')} links, ${ROUNDS} starts each\n`)
  console.log(
    markdownTable(['start', 'first redirect, ms (median)', 'first link made, ms (median)', 'target'], rows),
  )
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function makeFolder(): Promise<string> {
  const store = await openSqliteStore(dataDir, 'same-thread')
  const deps = { db: store.db, clock: systemClock, baseUrl: 'http://localhost' }
  const user = { name: 'Bench', email: 'bench@example.com', password: 'twelve letters', isVerified: true }
  const account = await createAccount(deps, user)
  const { key } = await issueKey(deps, account, { name: 'Bench', scopes: [], rateLimit: 1_000_000 })
  await makeLinks(store, { count: LINKS, ownerOf: () => account.workspaceId })
  await store.close()
  return key
}

async function measured(
  label: string,
  key: string,
  prepare: () => void,
  end: NodeJS.Signals = 'SIGTERM',
): Promise<string[]> {
  const [redirects, creations]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    prepare()
    const server = Bun.spawn([process.execPath, MAIN, 'serve'], {
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: dataDir,
        PORT: String(PORT),
        HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
      },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    const startedMs = performance.now()
    await answered(`/${codeOfLink(LINKS)}`, { redirect: 'manual' })
    redirects.push(performance.now() - startedMs)
    await answered('/api/links', {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ original_url: 'https://www.example.com/' }),
    })
    creations.push(performance.now() - startedMs)
    server.kill(end)
    await server.exited
  }
  const first = median(redirects)
  const check = `≤ ${TARGET_MS} ${first <= TARGET_MS ? 'met' : 'missed'}`
  return [label, first.toFixed(0), median(creations).toFixed(0), check]
}

async function answered(path: string, request: RequestInit): Promise<void> {
  for (;;) {
    const answer = await fetch(URL_OF_SERVER + path, request).catch(() => undefined)
    if (answer !== undefined && answer.status < 400) return void (await answer.arrayBuffer())
    await Bun.sleep(2)
  }
}
