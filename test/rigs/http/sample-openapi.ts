import type { OpenApiDocument } from '../../../src/http/pages/reference/openapi-document.ts'

/** A small document for tests, with every construct that the reference reads. */
export const SAMPLE_OPENAPI: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Parcel API',
    version: '2.1.0',
    description:
      'Sends **parcels**.\n\n## Authentication\n\nSend `X-Key`.\n\n- one\n- two\n\n## Errors\n\nSee <below>.',
  },
  tags: [{ name: 'Parcels', description: 'Boxes on their way.' }, { name: 'Empty' }],
  security: [{ header: [] }, { query: [] }],
  paths: {
    '/depots': { get: { summary: 'List depots', security: [], responses: { 204: { description: 'None' } } } },
    '/parcels/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        tags: ['Parcels'],
        operationId: 'getParcel',
        summary: 'Read a parcel',
        parameters: [
          {
            name: 'fields',
            in: 'query',
            description: 'What to show',
            schema: { type: 'string', enum: ['all', 'few'], default: 'all' },
            example: 'few',
          },
        ],
        responses: {
          200: {
            description: 'The parcel',
            headers: { 'X-Left': { description: 'Requests left', schema: { type: 'integer' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } },
          },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
      put: {
        tags: ['Parcels'],
        operationId: 'putParcel',
        summary: 'Change a parcel',
        deprecated: true,
        description: 'Takes `note`.',
        security: [{ header: ['parcels:write'] }, { query: ['parcels:write'] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Parcel' },
              example: { note: "it's <fragile>", weight: 2 },
            },
          },
        },
        responses: { 200: { description: 'Changed' } },
      },
    },
  },
  components: {
    securitySchemes: {
      header: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'The usual way' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
    },
    parameters: {
      Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 }, example: 42 },
    },
    responses: {
      Missing: {
        description: 'No such parcel',
        content: { 'application/json': { example: { message: 'Not found.' } } },
      },
    },
    schemas: {
      Parcel: {
        type: 'object',
        required: ['note'],
        properties: {
          note: { type: ['string', 'null'], maxLength: 20, description: 'A word' },
          weight: { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'null' }] },
          size: { enum: ['s', 'l'] },
          target: { oneOf: [{ $ref: '#/components/schemas/Street' }, { $ref: '#/components/schemas/Box' }] },
          stops: { type: 'array', minItems: 1, maxItems: 9, items: { $ref: '#/components/schemas/Street' } },
          marks: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          inside: { type: 'array', items: { $ref: '#/components/schemas/Parcel' } },
        },
      },
      Street: { type: 'object', properties: { street: { type: 'string', example: 'Kai 4' } } },
      Box: {
        allOf: [
          { $ref: '#/components/schemas/Street' },
          { type: 'object', properties: { box: { type: 'integer' } } },
        ],
      },
    },
  } as NonNullable<OpenApiDocument['components']>,
}
