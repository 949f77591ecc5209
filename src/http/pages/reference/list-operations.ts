import {
  METHODS,
  resolve,
  type Method,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type PathItem,
  type SecurityScheme,
} from './openapi-document.ts'

/** One method of one path, with what it inherits from the path and the document. */
export type Operation = {
  method: Method
  path: string
  /** Unique on the page. Changes only with the operationId, or with the method and path. */
  anchor: string
  title: string
  object: OperationObject
  parameters: Parameter[]
  access: Access
}

export type Access = {
  isKeyNeeded: boolean
  /** Empty: any key is accepted. */
  scopes: string[]
  /** Accepted schemes, in the order of the document. */
  schemes: SecurityScheme[]
}

export type OperationGroup = {
  name: string
  anchor: string
  description: string | undefined
  operations: Operation[]
}

const UNTAGGED = 'Other'
// Anchors of the page itself.
const PAGE_ANCHORS = ['main', 'contents', 'introduction', 'keys', 'headers']

/** Operations by their first tag. Declared tags come first, in their order. */
export function groupOperations(document: OpenApiDocument): OperationGroup[] {
  const groups = new Map<string, OperationGroup>()
  const group = (name: string, description?: string) => {
    const group = groups.get(name)
    if (group) return group
    const newGroup = { name, anchor: `tag-${slug(name)}`, description, operations: [] }
    groups.set(name, newGroup)
    return newGroup
  }
  for (const tag of document.tags ?? []) group(tag.name, tag.description)
  const anchors = new Set(PAGE_ANCHORS)
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const operation of operationsOf(document, path, resolve<PathItem>(document, item))) {
      operation.anchor = unique(operation.anchor, anchors)
      group(operation.object.tags?.[0] ?? UNTAGGED).operations.push(operation)
    }
  }
  return [...groups.values()].filter(({ operations }) => operations.length > 0)
}

function operationsOf(document: OpenApiDocument, path: string, item: PathItem): Operation[] {
  return METHODS.flatMap((method) => {
    const object = item[method]
    if (!object) return []
    const anchor = slug(object.operationId ?? `${method}-${path}`)
    const title = object.summary ?? `${method.toUpperCase()} ${path}`
    const parameters = parametersOf(document, item, object)
    return [{ method, path, anchor, title, object, parameters, access: accessOf(document, object) }]
  })
}

function parametersOf(document: OpenApiDocument, item: PathItem, object: OperationObject): Parameter[] {
  // A parameter of the operation overrides one of the path with the same name and location.
  const byPlace = new Map<string, Parameter>()
  for (const one of [...(item.parameters ?? []), ...(object.parameters ?? [])]) {
    const parameter = resolve<Parameter>(document, one)
    byPlace.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...byPlace.values()]
}

function accessOf(document: OpenApiDocument, object: OperationObject): Access {
  const alternatives = object.security ?? document.security ?? []
  const declared = document.components?.securitySchemes ?? {}
  const names = new Set(alternatives.flatMap((alternative) => Object.keys(alternative)))
  const tags = [...names].flatMap((name) => declared[name] ?? [])
  return {
    isKeyNeeded: names.size > 0 && alternatives.every((alternative) => Object.keys(alternative).length > 0),
    scopes: [...new Set(alternatives.flatMap((alternative) => Object.values(alternative).flat()))],
    schemes: tags.map((scheme) => resolve<SecurityScheme>(document, scheme)),
  }
}

/** `GET /api/links/{short_code}` → `get-api-links-short-code`. */
export function slug(text: string): string {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return words?.join('-') ?? 'section'
}

function unique(anchor: string, taken: Set<string>): string {
  let free = anchor
  for (let count = 2; taken.has(free); count++) free = `${anchor}-${count}`
  taken.add(free)
  return free
}
