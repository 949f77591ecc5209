import type { Context, Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import { PROOF_PATH } from '../../domains/domain-checks.ts'
import { proofOf } from '../../domains/find-domains.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { parseTrustedProxies } from '../../network/client-ip.ts'
import { isOwnRequestOf } from '../../network/proxied-request.ts'
import type { ReadDb } from '../../store/handles.ts'
import type { AppEnv } from '../dispatch/app-context.ts'

type WellKnownDeps = { db: ReadDb; domains: Domains; config: Config }

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }

/** What proxies and other servers of Tern ask about hosts. */
export function addWellKnown(app: Hono<AppEnv>, { db, domains, config }: WellKnownDeps): void {
  const trustedProxies = parseTrustedProxies(['loopback', config.trustedProxies].join(','))

  // Shows that a domain leads here. It proves nothing to others, who have tokens of their own.
  app.get(PROOF_PATH, async (context, next) => {
    const id = domains.idOf(context.req.header('host') ?? '')
    if (id <= DEFAULT_DOMAIN) return next()
    const row = await db
      .selectFrom('domains')
      .select('verification_token as token')
      .where('id', '=', id)
      .executeTakeFirst()
    if (row?.token == null) return next()
    return context.body(proofOf(row.token), 200, TEXT)
  })

  // Whether to get a certificate for a host. For the proxy itself, not for visitors whose requests it passes on.
  app.get('/.well-known/tls-ask', (context, next) => {
    const { req, env } = context
    if (!isOwnRequestOf(trustedProxies, { peer: env.peer, header: (name) => req.header(name) })) return next()
    // One host, so that no proxy means another than was looked at.
    const [host = '', ...more] = req.queries('domain') ?? []
    return Promise.resolve(answer(context, more.length === 0 && domains.serves(host)))
  })
}

const answer = (context: Context<AppEnv>, isOurs: boolean): Response =>
  isOurs ? context.body('Yes.', 200, TEXT) : context.body('No.', 404, TEXT)
