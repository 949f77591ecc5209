import { accountByEmail } from '../../../src/users/find-account.ts'
import { issueKey } from '../../../src/api-keys/issue-key.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { eventually } from '../eventually.ts'
import { testSettings } from '../store/test-store.ts'
import { type ClientAnswer, KeepAliveClient } from '../http/keep-alive-client.ts'
import { freePort } from '../free-port.ts'
import { addUser } from '../service/add-user.ts'
import type { Settings } from './server-process.ts'

/** A data folder with a verified account, for servers that run on it one after the other, on the same port. */
export type OperatedFolder = {
  settings: Settings & { DATA_DIR: string }
  port: number
  key: string
  /** The workspace that owns the links. */
  workspaceId: number
  userId: number
  email: string
  /** A request with the account's key to the current server. */
  api(method: string, path: string, body?: unknown): Promise<ClientAnswer>
  makeLinks(codes: readonly string[]): Promise<void>
  /** Another key of the account, with its own limit. */
  makeKey(rateLimit: number): Promise<string>
  /** `click_count` of each code. */
  clickCounts(codes: readonly string[]): Promise<Map<string, number>>
}

const RATE_LIMIT = 1_000_000

export async function operateFolder(dataDir: string, others: Settings = {}): Promise<OperatedFolder> {
  const port = freePort()
  const settings = {
    ...(await testSettings(dataDir)),
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...others,
  }
  return asAccount(await makeAccount(settings, 'operator@example.com'), { settings, port })
}

/** The same folder for another account. */
export async function asAnother(folder: OperatedFolder, email: string): Promise<OperatedFolder> {
  return asAccount(await makeAccount(folder.settings, email), folder)
}

type Account = Pick<OperatedFolder, 'key' | 'workspaceId' | 'userId' | 'email'>

function asAccount(
  { key, ...account }: Account,
  { settings, port }: Pick<OperatedFolder, 'settings' | 'port'>,
): OperatedFolder {
  const api = async (method: string, path: string, body?: unknown) => {
    const client = new KeepAliveClient(port)
    const answer = await client.request({ method, path, headers: { 'X-API-Key': key }, body })
    client.close()
    if (typeof answer === 'string') throw new Error(`${method} ${path} was not answered: ${answer}`)
    return answer
  }
  return {
    settings,
    port,
    key,
    ...account,
    api,
    async makeLinks(codes) {
      const links = codes.map((code) => ({
        original_url: `https://example.com/${code}`,
        custom_code: code,
      }))
      const { status, body } = await eventually(
        () => api('POST', '/api/bulk-shorten', { links }),
        // On a busy machine the API thread may be up long after the redirect thread.
        (answer) => answer.status !== 503,
      )
      if (status !== 201) throw new Error(`The links were not made: ${status} ${body}`)
    },
    async makeKey(rateLimit) {
      const store = await openStore(placeOf(settings), 'same-thread')
      const deps = { db: store.db, clock: systemClock, baseUrl: 'http://localhost' }
      const owner = await accountByEmail(store.db, account.email)
      const { key } = await issueKey(deps, owner, { name: 'Another key', scopes: [], rateLimit })
      await store.close()
      return key
    },
    async clickCounts(codes) {
      const counts = new Map<string, number>()
      for (const code of codes) {
        const { status, body } = await eventually(
          () => api('GET', `/api/links/${code}`),
          // An API thread without a moment to spare asks to try again.
          (answer) => answer.status !== 503,
        )
        if (status !== 200) throw new Error(`${code} cannot be read: ${status} ${body}`)
        counts.set(code, JSON.parse(body).data.click_count)
      }
      return counts
    },
  }
}

const placeOf = ({ DATA_DIR, DATABASE_URL }: Settings) => ({ dataDir: DATA_DIR!, databaseUrl: DATABASE_URL })

async function makeAccount(settings: Settings, email: string): Promise<Account> {
  const store = await openStore(placeOf(settings), 'same-thread')
  const deps = { db: store.db, clock: systemClock, baseUrl: 'http://localhost' }
  const account = await addUser(deps, { name: email, email })
  const { key } = await issueKey(deps, account, { name: 'Key', scopes: [], rateLimit: RATE_LIMIT })
  await store.close()
  return { key, workspaceId: account.workspaceId, userId: account.userId, email }
}
