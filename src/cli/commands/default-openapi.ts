import { API_VERSION } from '../../http/api/api-version.ts'
import { endpointsOf } from '../../http/app.ts'
import { openApiDocument } from '../../http/openapi/openapi.ts'
import { readConfig } from '../../config/config.ts'
import { Blocks } from '../../links/destinations/blocks.ts'
import { Domains } from '../../links/domains/domains.ts'
import type { Store } from '../../store/open-store.ts'
import { PasswordQueue } from '../../users/password/password-queue.ts'

/** With default settings, so that the committed document does not depend on the environment. */
export function defaultOpenApi(): string {
  const config = readConfig({})
  // The handlers are never called.
  const store = {} as Store
  const nothing = () => {}
  const endpoints = endpointsOf({
    config,
    store,
    clock: { nowUs: () => 0, monotonicMs: () => 0 },
    passwords: new PasswordQueue(),
    changes: { changed: nothing },
    blocks: new Blocks(),
    domains: new Domains(config),
    codeLog: { ready: async () => {}, note: nothing, keep: async () => {} },
    titles: { add: nothing },
    redirectState: { changed: async () => {} },
    mails: { post: nothing },
    domainChecks: {
      check: async () => ({
        ownership: undefined,
        pointing: undefined,
        addresses: [],
        certificate: undefined,
      }),
    },
    serviceState: () => 'ok',
  })
  return JSON.stringify(
    openApiDocument(endpoints, { baseUrl: config.baseUrl, version: API_VERSION }),
    null,
    2,
  )
}
