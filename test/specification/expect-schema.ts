import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'bun:test'

type Media = { schema: object }
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, Media> }> }>>
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Checks answers against the document as a strict client would: by its JSON Schemas alone. */
export class DocumentSchemas {
  readonly #ajv = new Ajv2020({
    allErrors: true,
    // The keywords of OpenAPI around the schemas are not those of JSON Schema.
    strict: false,
    formats: {
      uuid: UUID,
      uri: (text: string) => URL.canParse(text),
      date: /^\d{4}-\d\d-\d\d$/,
      'date-time': (text: string) =>
        /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
    },
  })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: Document) {
    this.#ajv.addSchema(document, 'document')
  }

  /** `place`: the names that lead to the schema in the document. */
  expectValid(place: readonly string[], value: unknown): void {
    const pointer = place
      .map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    let validate = this.#validators.get(pointer)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `document#/${pointer}` })
      this.#validators.set(pointer, validate)
    }
    validate(value)
    expect(validate.errors ?? [], `An answer does not match #/${pointer}`).toEqual([])
  }
}
