import { API_VERSION } from '../../http/api/api-version.ts'
import { ENDPOINTS } from '../../http/endpoints/all-endpoints.ts'
import { openApiDocument } from '../../http/openapi/openapi.ts'
import { readConfig } from '../../config/config.ts'
import { schemasOf, type ServerDeps } from '../../http/dispatch/server-deps.ts'
import { destinationRulesOf } from '../../links/destinations/destination-rules.ts'
import { Blocks } from '../../links/destinations/blocks.ts'
import { Domains } from '../../links/domains/domains.ts'
import type { Store } from '../../store/open-store.ts'
import { PasswordQueue } from '../../users/password/password-queue.ts'

/** With default settings, so that the committed document does not depend on the environment. */
export function defaultOpenApi(): string {
  const deps = defaultDeps()
  return JSON.stringify(openApiDocument(ENDPOINTS, { ...deps, version: API_VERSION }), null, 2)
}

export function defaultDeps(): ServerDeps {
  const config = readConfig({})
  const destinationRules = destinationRulesOf(config, { domains: new Domains(config), blocks: new Blocks() })
  // The handlers are never called.
  const store = {} as Store
  const nothing = () => {}
  return {
    config,
    baseUrl: config.baseUrl,
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
    schemas: schemasOf(destinationRules),
    destinationRules,
    exportPlaces: {},
  } as unknown as ServerDeps
}
