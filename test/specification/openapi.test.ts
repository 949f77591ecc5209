import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openApiCommand } from '../../src/cli/commands/openapi-command.ts'
import type { z } from 'zod'
import { defaultDeps } from '../../src/cli/commands/default-openapi.ts'
import { type Parameter, type Reference, resolve } from '../../src/http/pages/reference/openapi-document.ts'
import { DOCUMENT, ENDPOINTS } from './contract-rig.ts'

const operationOf = (method: string, path: string): Operation => DOCUMENT.paths[path][method]

describe('the document in docs/openapi.json', () => {
  test('is what the code generates', async () => {
    const file = join(import.meta.dir, '../../docs/openapi.json')
    // By value: the formatter may set it otherwise than the program that writes it.
    const kept = await Bun.file(file).json()
    expect(kept, 'docs/openapi.json is out of date: run `npm run openapi`, then `npm run format`').toEqual(
      DOCUMENT,
    )
  })

  test('is what the command prints', async () => {
    const lines: string[] = []
    const call = { words: [], text: () => undefined, texts: () => [], isSet: () => false }
    const print = (line: string) => void lines.push(line)
    await openApiCommand.run(call, { print } as Parameters<typeof openApiCommand.run>[1])
    expect(JSON.parse(lines.join('\n'))).toEqual(DOCUMENT)
  })

  test('is OpenAPI 3.1 of this version of the specification', () => {
    expect(DOCUMENT.openapi).toBe('3.1.0')
    expect(DOCUMENT.info).toMatchObject({ title: 'Tern API', version: '1.2.0.1' })
    expect(DOCUMENT.info.license).toEqual({ name: 'MIT', identifier: 'MIT' })
    expect(DOCUMENT.tags.map(({ name }: { name: string }) => name)).toEqual([
      'Links',
      'Imports',
      'Tags and folders',
      'Analytics',
      'Shared statistics',
      'Account',
      'Domains',
      'Workspace',
      'Public',
      'Short URLs',
    ])
  })

  test('has every endpoint of the specification with its method, and no others', () => {
    const documented = Object.entries<object>(DOCUMENT.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    const endpoints = EXPECTED.map(([method, path]) => `${method} ${path}`).sort()
    const shortUrls = SHORT_URLS.map(([method, path]) => `${method} ${path}`)
    expect(documented.sort()).toEqual([...endpoints, ...shortUrls].sort())
    expect(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(endpoints)
  })

  test('joins no closed objects, which together would allow nothing', () => {
    expect(JSON.stringify(DOCUMENT)).not.toContain('"allOf"')
  })

  test('has no dangling references', () => {
    const names = [...JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
    expect(names.length).toBeGreaterThan(0)
    for (const [, name = ''] of names) expect(Object.keys(DOCUMENT.components.schemas)).toContain(name)
  })

  test('has no patterns except for timestamps, codes, colors, conditions and ids of rules, and no validator messages', () => {
    const patterns = [...JSON.stringify(DOCUMENT).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text!),
    )
    // The names of browsers and systems, in any case.
    const ofNames = (pattern: string) => /^\^\(\?:\[[A-Z][a-z]\]/.test(pattern)
    expect(new Set(patterns.filter(ofNames)).size).toBe(2)
    expect([...new Set(patterns)].filter((pattern) => !ofNames(pattern)).sort()).toEqual([
      '^#[0-9A-Fa-f]{6}$',
      '^[0-9a-f]{8}$',
      '^[A-Za-z0-9_-]{3,64}$',
      '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
      '^[A-Za-z]{2}$',
      String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`,
    ])
    expect(JSON.stringify(DOCUMENT)).not.toMatch(/must match|Invalid (?:string|input|url)|zod|\[object /i)
  })
})

/** What a client that was made from the document would send, and be refused for. */
describe('a generated client', () => {
  const schemaOf = (method: string, path: string, name: string) =>
    parametersOf(operationOf(method, path)).find((one) => one.name === name)!.schema

  test('does not send a period together with from and to', () => {
    for (const [method, path, , query] of EXPECTED) {
      if (query.includes('period')) expect(schemaOf(method, path, 'period')).not.toHaveProperty('default')
    }
  })

  test('may request more than a hundred links per page', () => {
    const schema = schemaOf('get', '/api/links', 'per_page')
    expect(schema).toMatchObject({ type: 'integer', minimum: 1, default: 15 })
    expect(schema).not.toHaveProperty('maximum')
  })

  test('is no stricter with a new link than the service', () => {
    const { original_url, is_active } = DOCUMENT.components.schemas.NewLink.properties
    expect(original_url).not.toHaveProperty('format')
    expect(is_active).toMatchObject({ type: ['boolean', 'null'] })
    expect(is_active).not.toHaveProperty('default')
    expect(DOCUMENT.components.schemas.LinkEdit.properties.original_url).not.toHaveProperty('format')
  })

  test('knows every way to send the key', () => {
    expect(DOCUMENT.components.securitySchemes).toMatchObject({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
      apiKeyInQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
    })
  })
})

const CLICK_FILTERS = [
  'country',
  'device',
  'browser',
  'os',
  'referrer',
  'language',
  'via',
  'variant',
  'alias',
  'region',
  'city',
  'source',
]

const RANGE = ['from', 'to', 'period', 'timezone', 'granularity', 'compare', 'limit']
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']
const REPORT = [...RANGE, ...CLICK_FILTERS, ...UTM]
const OF_LINK_OR_ALL = [...REPORT, 'short_code', 'domain', 'tag', 'folder']
const AUDIT_FILTERS = ['search', 'user', 'key', 'action', 'target', 'from', 'to', 'client']
const NOT_OF_EXPORTS = new Set(['granularity', 'compare', 'limit'])

const FILTERS = [
  'search',
  'id',
  'external_id',
  'status',
  'needs_attention',
  'tag',
  'tag_mode',
  'folder',
  'domain',
  'created_by',
  'import_id',
  'created_from',
  'created_to',
  'expires_before',
  'archived',
]

const LIST = ['page', 'per_page', ...FILTERS, 'sort', 'order']
/** Every endpoint that the specification and the decisions name; the scope is null where no key is needed. */
const EXPECTED: [method: string, path: string, scope: string[] | null, query: string[]][] = [
  ['post', '/api/links', ['links:create'], []],
  ['get', '/api/links', ['links:read'], [...LIST, 'include']],
  ['get', '/api/export/links', ['links:read'], ['format', ...FILTERS]],
  ['get', '/api/links/{short_code}', ['links:read'], ['include']],
  ['put', '/api/links/{short_code}', ['links:write'], []],
  ['delete', '/api/links/{short_code}', ['links:write'], []],
  [
    'get',
    '/api/links/{short_code}/resolve',
    ['links:read'],
    ['country', 'user_agent', 'language', 'at', 'traffic', 'query', 'path'],
  ],
  ['post', '/api/links/{short_code}/toggle', ['links:write'], []],
  ['delete', '/api/links/{short_code}/clicks', ['links:write'], []],
  ['post', '/api/links/{short_code}/restore', ['links:write'], []],
  ['get', '/api/links/{short_code}/versions', ['links:read'], ['page', 'per_page']],
  ['post', '/api/links/{short_code}/versions/{version}/restore', ['links:write'], []],
  ['get', '/api/trash', ['links:read'], ['page', 'per_page']],
  ['delete', '/api/trash/{short_code}', ['links:write'], []],
  ['get', '/api/domains', ['links:read'], []],
  ['post', '/api/domains', ['domains:write'], []],
  ['get', '/api/domains/{host}', ['links:read'], []],
  ['put', '/api/domains/{host}', ['domains:write'], []],
  ['post', '/api/domains/{host}/verify', ['domains:write'], []],
  ['delete', '/api/domains/{host}', ['domains:write'], []],
  ['get', '/api/workspace/settings', ['links:read'], []],
  ['put', '/api/workspace/settings', ['workspace:write'], []],
  ['get', '/api/audit-log', ['audit:read'], ['page', 'per_page', ...AUDIT_FILTERS]],
  ['get', '/api/export/audit-log', ['audit:read'], ['format', ...AUDIT_FILTERS]],
  ...['/api/tags', '/api/folders'].flatMap((path): typeof EXPECTED => [
    ['get', path, ['links:read'], []],
    ['post', path, ['tags:write'], []],
    ['put', `${path}/{id}`, ['tags:write'], []],
    ['post', `${path}/{id}/merge`, ['tags:write'], []],
    ['delete', `${path}/{id}`, ['tags:write'], []],
  ]),
  ...['/api/links/{short_code}', '/api/tags/{id}', '/api/folders/{id}'].flatMap((path): typeof EXPECTED => [
    ['get', `${path}/share`, ['analytics:read'], []],
    ['post', `${path}/share`, ['shares:write'], []],
    ['put', `${path}/share`, ['shares:write'], []],
    ['post', `${path}/share/reset`, ['shares:write'], []],
    ['delete', `${path}/share`, ['shares:write'], []],
  ]),
  ['post', '/api/bulk-shorten', ['links:create'], []],
  ['post', '/api/links/bulk-update', ['links:write'], []],
  ['post', '/api/links/bulk-delete', ['links:write'], []],
  ['post', '/api/links/bulk-restore', ['links:write'], []],
  ['post', '/api/links/import', ['links:write'], []],
  ['get', '/api/imports', ['links:read'], ['page', 'per_page']],
  ['post', '/api/imports', ['links:write'], []],
  ['get', '/api/imports/{id}', ['links:read'], []],
  ['post', '/api/imports/{id}/end', ['links:write'], []],
  ['post', '/api/imports/{id}/undo', ['links:write'], []],
  ['get', '/api/import-jobs', ['links:read'], ['page', 'per_page']],
  ['post', '/api/import-jobs', ['links:write'], []],
  ['get', '/api/import-jobs/{id}', ['links:read'], []],
  ['put', '/api/import-jobs/{id}', ['links:write'], []],
  ['delete', '/api/import-jobs/{id}', ['links:write'], []],
  ['post', '/api/import-jobs/{id}/files', ['links:write'], ['name', 'offset', 'size']],
  ['get', '/api/import-jobs/{id}/columns', ['links:read'], []],
  ['post', '/api/import-jobs/{id}/check', ['links:write'], []],
  ['get', '/api/import-jobs/{id}/items', ['links:read'], ['page', 'per_page', 'result']],
  ['get', '/api/import-jobs/{id}/refused', ['links:read'], []],
  ['put', '/api/import-jobs/{id}/choices', ['links:write'], []],
  ['post', '/api/import-jobs/{id}/start', ['links:write'], []],
  ['post', '/api/import-jobs/{id}/stop', ['links:write'], []],
  ['get', '/api/analytics/overview', ['analytics:read'], []],
  ['get', '/api/analytics/links/{short_code}', ['analytics:read'], REPORT],
  ['get', '/api/analytics/clicks', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/countries', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/devices', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/browsers', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/operating_systems', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/referrers', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/languages', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/via', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/variants', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/aliases', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/sources', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/bots', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/cities', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/not-found', ['analytics:read'], ['domain', 'limit']],
  ['get', '/api/analytics/regions', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/tags', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/folders', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/domains', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/utm', ['analytics:read'], [...OF_LINK_OR_ALL, 'by']],
  ['get', '/api/analytics/imported', ['analytics:read'], OF_LINK_OR_ALL],
  ['get', '/api/analytics/links', ['analytics:read'], OF_LINK_OR_ALL],
  [
    'get',
    '/api/analytics/export',
    ['analytics:read'],
    [...OF_LINK_OR_ALL.filter((name) => !NOT_OF_EXPORTS.has(name)), 'format'],
  ],
  ['get', '/api/account', [], []],
  ['get', '/api/account/usage', [], []],
  ['get', '/api/account/api-keys', [], []],
  ['get', '/api/info/{short_code}', null, []],
  ['get', '/api/stats/public', null, []],
  ['get', '/api/health', null, []],
]

const operations: [name: string, operation: Operation][] = EXPECTED.map(([method, path]) => [
  `${method.toUpperCase()} ${path}`,
  operationOf(method, path),
])

describe('an operation', () => {
  test('has a unique operationId', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(EXPECTED.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z_]+[a-z]$/)
  })

  test.each(operations)('%s has a summary and one tag', (_name, { summary, tags }) => {
    expect(summary).toMatch(/^[A-Z][^.]+$/)
    expect(tags).toHaveLength(1)
    expect(DOCUMENT.tags.map(({ name }: { name: string }) => name)).toContain(tags[0]!)
  })

  test.each(EXPECTED)(
    '%s %s documents its scope, its parameters and its body',
    (method, path, scope, ownQuery) => {
      const query = path.includes('{short_code}') ? [...ownQuery, 'domain'] : ownQuery
      const operation = operationOf(method, path)
      const anyWay = ['apiKey', 'bearer', 'apiKeyInQuery'].map((name) => ({ [name]: scope }))
      expect(operation.security).toEqual(scope === null ? [] : (anyWay as Record<string, string[]>[]))
      expect(parameters(operation, 'query')).toEqual(query.length === 0 ? [] : expect.arrayContaining(query))
      expect(parameters(operation, 'query')).toHaveLength(query.length)
      expect(parameters(operation, 'path')).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
      const takesBody =
        ['post', 'put'].includes(method) &&
        !/\/(?:toggle|restore|verify|reset|end|check|start|stop)$/.test(path)
      expect(operation.requestBody?.required).toBe(takesBody ? true : undefined)
    },
  )

  test.each(operations)(
    '%s documents each response, every error in the same shape',
    (name, { responses }) => {
      const statuses = Object.keys(responses).sort()
      const others = statuses.filter((status) => !/^20[01]$/.test(status))
      expect(statuses.length).toBeGreaterThan(others.length)
      for (const [status, response] of Object.entries(responses)) {
        const { description, content } = resolve<Response>(DOCUMENT, response)
        expect(description).toMatch(/\w/)
        const isFile = status === '200' && /^GET \/api\/(?:export\/|analytics\/export)/.test(name)
        const isTable = status === '200' && name.endsWith('/refused')
        const parquet = name.includes('analytics') ? ['application/vnd.apache.parquet'] : []
        const types = isTable
          ? ['text/csv']
          : isFile
            ? ['text/csv', 'application/x-ndjson', ...parquet]
            : ['application/json']
        expect(Object.keys(content)).toEqual(types)
        const { schema } = content[types[0]!]!
        if (others.includes(status)) expect(schema).toEqual({ $ref: '#/components/schemas/Error' })
        else expect(schema).not.toBeEmptyObject()
      }
    },
  )

  test.each(SHORT_URLS)(
    '%s %s needs no key, and documents its parameters and statuses',
    (method, path, query, statuses) => {
      const operation = operationOf(method, path)
      expect(operation.security).toEqual([])
      expect(parameters(operation, 'path')).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
      expect(parameters(operation, 'query')).toEqual(query)
      expect(Object.keys(operation.responses).map(Number)).toEqual(statuses)
    },
  )

  test('that creates returns 201, and for links 200 for what was there; every other success is 200', () => {
    for (const [name, operation] of operations) {
      const createsLinks = ['POST /api/links', 'POST /api/bulk-shorten'].includes(name)
      const creates =
        createsLinks ||
        /^POST \/api\/(tags|folders|domains|imports|import-jobs)$/.test(name) ||
        /^POST .*\/share$/.test(name)
      const successes = Object.keys(operation.responses).filter((status) => Number(status) < 300)
      expect(successes).toEqual(createsLinks ? ['200', '201'] : creates ? ['201'] : ['200'])
      expect(parameters(operation, 'header')).toEqual(createsLinks ? ['Idempotency-Key'] : [])
    }
  })
})

test('the document says of every field of a body whether it may be null, and what the elements of a list are', () => {
  for (const { method, path, input } of ENDPOINTS) {
    if (input === undefined) continue
    const { $ref } = DOCUMENT.paths[path][method].requestBody.content['application/json'].schema
    const { properties } = DOCUMENT.components.schemas[$ref.split('/').at(-1)]
    for (const [field, one] of Object.entries<z.ZodType>(input.schema(defaultDeps()).shape)) {
      const isNullable = [properties[field].type].flat().includes('null')
      expect({ $ref, field, isNullable }).toEqual({ $ref, field, isNullable: one.safeParse(null).success })
    }
  }
  expect(JSON.stringify(DOCUMENT)).not.toContain('"items":{}')
})

type Response = { description: string; content: Record<string, { schema: object }> }
type Operation = {
  tags: string[]
  summary: string
  operationId: string
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean }
  responses: Record<string, Response | Reference>
}

/** What visitors open, with the statuses that the document names. */
const SHORT_URLS: [method: string, path: string, query: string[], statuses: number[]][] = [
  ['get', '/{short_code}', [], [200, 301, 302, 307, 308, 400, 403, 404, 410, 429, 500, 503]],
  ['post', '/{short_code}', [], [303, 400, 403, 405, 429, 500, 503]],
  ['get', '/{short_code}+', [], [200, 400, 403, 404, 410, 429, 500, 503]],
  [
    'get',
    '/qr/{short_code}',
    ['format', 'size', 'margin', 'level', 'color', 'background', 'style', 'domain'],
    [200, 400, 404, 410, 422, 429, 500, 503],
  ],
  ['get', '/share/{secret}', ['range'], [200, 400, 403, 404, 422, 429, 500, 503]],
  ['post', '/share/{secret}', [], [200, 400, 403, 404, 422, 429, 500, 503]],
  ['get', '/share/{secret}/badge.svg', [], [200, 400, 404, 429, 500, 503]],
]
const parametersOf = ({ parameters = [] }: Operation) =>
  parameters.map((parameter) => resolve<Parameter>(DOCUMENT, parameter))
const parameters = (operation: Operation, place: string) =>
  parametersOf(operation)
    .filter((parameter) => parameter.in === place)
    .map(({ name }) => name)
