import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callerWithRole, type SignedInCaller } from '../../../src/access/caller.ts'
import { issueKey } from '../../../src/api-keys/issue-key.ts'
import { type Service, type ServiceOptions, openService } from '../../../src/cli/service/open-service.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { type Config, readConfig } from '../../../src/config/config.ts'
import { jsonLog } from '../../../src/runtime/log.ts'
import { raiseIds } from '../../../src/store/engine-sql.ts'
import { openStore, type Store } from '../../../src/store/open-store.ts'
import type { DurableDb } from '../../../src/store/handles.ts'
import { transact } from '../../../src/store/transact.ts'
import { documentedFetch } from '../http/documented-fetch.ts'
import { freePort } from '../free-port.ts'
import { testSettings } from '../store/test-store.ts'
import { onceForAll, usePrepared, useRig } from '../use-rig.ts'
import { addUser } from './add-user.ts'

/** A complete service with all its threads, on its own port and an empty data folder. */
export type ServiceRig = {
  url: string
  config: Config
  /** A second set of handles on the same store, as the command line has them. */
  store: Store
  /** A verified account with one key. */
  makeCaller(options?: CallerOptions): Promise<TestCaller>
  /** A request with JSON in and out. */
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>
  stop(): Promise<void>
}

type CallerOptions = {
  isVerified?: boolean
  scopes?: string[]
  rateLimit?: number
  workspaceId?: number
}
/** Also a caller with all permissions, for modules that are called directly. */
export type TestCaller = SignedInCaller & { workspaceId: number; email: string; key: string; keyId: number }
export type CallOptions = { key?: string; body?: unknown; headers?: Record<string, string> }
export type TestAnswer = { status: number; headers: Headers; body: any; text: string }

/** So that no user has the id of their own workspace, and almost every workspace that of another user. */
const WORKSPACE_IDS_AHEAD = 1

/** High enough that only tests of the limit reach it. */
const RATE_LIMIT = 1_000_000

/** One service for all suites of a process, because to start one takes longer than most suites. */
export const useServiceRig = (): ServiceRig => usePrepared(sharedServiceRig)

const sharedServiceRig = onceForAll(() => startServiceRig({ TRUSTED_PROXIES: 'loopback' }))

/** For a suite that needs other settings, or to be alone: it checks the counters of all, or becomes the operator. */
export const useOwnServiceRig = (settings?: Record<string, string>, options?: ServiceOptions): ServiceRig =>
  useRig(() => startServiceRig(settings, options))

export const useCaller = (rig: ServiceRig, options?: CallerOptions): TestCaller =>
  usePrepared(() => rig.makeCaller(options))

export async function startServiceRig(
  settings: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<ServiceRig> {
  const folder = mkdtempSync(join(tmpdir(), 'tern-service-'))
  const port = Number(settings.PORT ?? freePort())
  const config = readConfig({
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: `http://localhost:${port}`,
    ...(await testSettings(folder)),
    LOG_LEVEL: 'silent',
    // Tests stay on this machine.
    FETCH_DESTINATIONS: '0',
    ...settings,
  })
  const service: Service = await openService(config, jsonLog('silent', 'redirect'), options)
  // On a busy machine the API thread takes so long to start that its first requests would get 503.
  await Promise.race([service.ready, service.failed.then((error) => Promise.reject(error))])
  const store = await openStore(config, 'same-thread')
  await transact(store.db, (tx) => raiseIds(tx, 'workspaces', WORKSPACE_IDS_AHEAD))
  const url = `http://127.0.0.1:${config.port}`
  return {
    url,
    config,
    store,
    makeCaller: (options) => makeCaller({ db: store.db, baseUrl: config.baseUrl }, options),
    call: (method, path, options) => call(url + path, method, options),
    async stop() {
      await store.close()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let callers = 0

async function makeCaller(
  { db, baseUrl }: { db: DurableDb; baseUrl: string },
  options: CallerOptions = {},
): Promise<TestCaller> {
  const deps = { db, baseUrl, clock: systemClock }
  const email = `caller${++callers}@example.com`
  const { isVerified = true } = options
  const account = await addUser(deps, { name: `Caller ${callers}`, email, isVerified })
  const { id, key } = await issueKey(deps, account, {
    name: 'Test key',
    scopes: options.scopes ?? [],
    rateLimit: options.rateLimit ?? RATE_LIMIT,
  })
  const caller = callerWithRole({ ...account, role: 'owner', device: 'Firefox on Linux' })
  return { ...caller, workspaceId: account.workspaceId, email, key, keyId: id }
}

/** Like `call` of a rig, for a server in its own process. */
const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

export async function call(
  url: string,
  method: string,
  { key, body, headers = {} }: CallOptions = {},
): Promise<TestAnswer> {
  const response = await documentedFetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'X-API-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : undefined,
    text,
  }
}
