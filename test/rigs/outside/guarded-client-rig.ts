import {
  type Answered,
  type Failed,
  GuardedClient,
  type GuardedClientDeps,
} from '../../../src/destination-pages/guarded-client.ts'
import { isPublicAddress } from '../../../src/destination-pages/public-address.ts'
import { readBytes } from '../../../src/destination-pages/read-bytes.ts'
import { Blocks } from '../../../src/links/destinations/blocks.ts'
import { PUBLIC_IP } from './page-server.ts'

/** No test waits for it unless it is about it. */
const LONG_MS = 60_000
export const BODY_MAX = 100_000

/** The client as it is, for which one address of this machine is public and every name leads there. */
export const clientOf = (changed: Partial<GuardedClientDeps> = {}) =>
  new GuardedClient({
    resolve: async () => [PUBLIC_IP],
    isAllowedAddress: (ip) => ip === PUBLIC_IP || isPublicAddress(ip),
    isAllowedPort: () => true,
    destinationRules: { ownHosts: new Set(['s.example']), allowPrivate: true, blocks: new Blocks() },
    userAgent: 'Tern/1.2.3 (+https://s.example)',
    timeoutMs: LONG_MS,
    ...changed,
  })

type Seen = { url: string; status?: number; failure?: string; text?: string }

export async function readText(answer: Answered | Failed): Promise<Seen> {
  if ('failure' in answer) return answer
  const text = Buffer.from(await readBytes(answer.body(BODY_MAX))).toString()
  return { url: answer.url, status: answer.status, text }
}

export const getText = (url: string, client = clientOf()): Promise<Seen> =>
  client.get(url, { accept: 'text/html', signal: new AbortController().signal }, readText)
