import { readConfig } from '../../config/config.ts'
import type { SchemaDeps } from '../../http/dispatch/body-and-query.ts'
import { schemasOf } from '../../http/dispatch/server-deps.ts'
import { ENDPOINTS } from '../../http/endpoints/all-endpoints.ts'
import { openApiDocument } from '../../http/openapi/openapi.ts'
import { API_VERSION } from '../../runtime/version.ts'
import { Blocks } from '../../links/destinations/blocks.ts'
import { destinationRulesOf } from '../../links/destinations/destination-rules.ts'
import { Domains } from '../../links/domains/domains.ts'

/** With default settings, so that the committed document does not depend on the environment. */
export function defaultOpenApi(): string {
  const { baseUrl } = readConfig({})
  return JSON.stringify(
    openApiDocument(ENDPOINTS, { ...defaultDeps(), baseUrl, version: API_VERSION }),
    null,
    2,
  )
}

/** The schemas of the document. */
export function defaultDeps(): SchemaDeps {
  const config = readConfig({})
  const destinationRules = destinationRulesOf(config, { domains: new Domains(config), blocks: new Blocks() })
  return { schemas: schemasOf({ config, destinationRules }) }
}
