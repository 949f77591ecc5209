import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount } from '../../src/accounts/create-account.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { type Service, openService } from '../../src/cli/open-service.ts'
import { systemClock } from '../../src/clock.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { jsonLog } from '../../src/log.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { freePort } from './free-port.ts'
import { testSettings } from './test-store.ts'

/** A whole service with all its threads on a port of its own and an empty data folder. */
export type ServiceRig = {
  url: string
  config: Config
  /** A second set of handles on the same store, as the command line has them. */
  store: Store
  /** A verified account with one key; both as a program outside would know them. */
  makeCaller(options?: CallerOptions): Promise<TestCaller>
  /** A request with JSON in and out. */
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>
  stop(): Promise<void>
}

export type CallerOptions = {
  isVerified?: boolean
  scopes?: string[]
  rateLimit?: number
  accountId?: number
}
export type TestCaller = { accountId: number; email: string; key: string; keyId: number }
export type CallOptions = { key?: string; body?: unknown; headers?: Record<string, string> }
export type TestAnswer = { status: number; headers: Headers; body: any; text: string }

/** Plenty, so that only tests about the limit meet it. */
const RATE_LIMIT = 1_000_000

export async function startServiceRig(settings: Record<string, string> = {}): Promise<ServiceRig> {
  const folder = mkdtempSync(join(tmpdir(), 'tern-service-'))
  const port = freePort()
  const config = readConfig({
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: `http://localhost:${port}`,
    ...(await testSettings(folder)),
    LOG_LEVEL: 'silent',
    ...settings,
  })
  const service: Service = await openService(config, jsonLog('silent', 'visitors'))
  const store = await openStore(config, 'same-thread')
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    config,
    store,
    makeCaller: (options) => makeCaller(store, options),
    call: (method, path, options) => call(url + path, method, options),
    async stop() {
      await store.close()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let callers = 0

async function makeCaller(store: Store, options: CallerOptions = {}): Promise<TestCaller> {
  const deps = { db: store.db, clock: systemClock }
  const email = `caller${++callers}@example.com`
  const account = await createAccount(deps, {
    name: `Caller ${callers}`,
    email,
    password: 'correct horse battery staple',
    isVerified: options.isVerified ?? true,
  })
  const { id, key } = await issueKey(deps, account, {
    name: 'Test key',
    scopes: options.scopes ?? [],
    rateLimit: options.rateLimit ?? RATE_LIMIT,
  })
  return { accountId: account.id, email, key, keyId: id }
}

/** What `call` of a rig does, for a server that is a process of its own. */
export async function call(
  url: string,
  method: string,
  { key, body, headers = {} }: CallOptions = {},
): Promise<TestAnswer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { 'X-API-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
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
/** Asks again until the answer is as wanted; for what follows within moments, such as counted clicks. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  isThere: (value: Value) => boolean,
): Promise<Value> {
  const TRIES_MAX = 400
  for (let tries = 0; ; tries++) {
    const value = await ask()
    if (isThere(value) || tries === TRIES_MAX) return value
    await Bun.sleep(25)
  }
}
