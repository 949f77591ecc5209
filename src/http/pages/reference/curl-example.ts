import { givenExample, mediaExample, parameterExample } from './example-value.ts'
import type { Operation } from './list-operations.ts'
import {
  mainMedia,
  resolve,
  type OpenApiDocument,
  type Parameter,
  type RequestBody,
} from './openapi-document.ts'

/** A command to paste. The key comes from the environment, everything else from the examples of the operation. */
export function curlExample(document: OpenApiDocument, operation: Operation, baseUrl: string): string {
  const body = bodyOf(document, operation)
  const url = baseUrl + pathOf(document, operation) + queryOf(document, operation)
  const method = operation.method.toUpperCase()
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined)
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}${shellWord(url)}`,
    ...(operation.access.isKeyNeeded ? keyHeader(operation) : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: ${body.type}'`, `${dataOption(body)} ${shellWord(body.text)}`]),
  ]
  return lines.join(' \\\n  ')
}

/** A word of a POSIX shell, quoted if necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function keyHeader({ access }: Operation): string[] {
  const scheme = access.schemes.find(
    (one) => one.in === 'header' || one.type === 'http' || one.type === 'oauth2',
  )
  if (!scheme) return []
  return scheme.in === 'header' ? [`-H "${scheme.name}: $API_KEY"`] : ['-H "Authorization: Bearer $API_KEY"']
}

function pathOf(document: OpenApiDocument, { path, parameters }: Operation): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    const example = parameter && parameterExample(document, parameter)
    // Not {name}: curl expands braces.
    return example === undefined ? `<${name}>` : encodeURIComponent(String(example))
  })
}

function queryOf(document: OpenApiDocument, { parameters }: Operation): string {
  const pairs = parameters.flatMap((parameter) => {
    if (parameter.in !== 'query') return []
    const value = queryValue(document, parameter)
    return value === undefined ? [] : [`${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`]
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Of optional parameters only those with an example of their own: that of the schema just shows what a value looks like. */
function queryValue(document: OpenApiDocument, parameter: Parameter): string | undefined {
  const example = givenExample(document, parameter)
  if (example !== undefined) return String(example)
  if (!parameter.required) return undefined
  return String(parameterExample(document, parameter) ?? `<${parameter.name}>`)
}

function bodyOf(
  document: OpenApiDocument,
  { object }: Operation,
): { type: string; text: string } | undefined {
  if (!object.requestBody) return undefined
  const main = mainMedia(resolve<RequestBody>(document, object.requestBody).content)
  if (!main) return undefined
  const example = mediaExample(document, main.media)
  const text = bodyText(main.type, example)
  return text === undefined ? undefined : { type: main.type, text }
}

const BYTES = 'application/octet-stream'

/** The other one takes the line breaks out of files. */
const dataOption = ({ type }: { type: string }): string => (type === BYTES ? '--data-binary' : '-d')

function bodyText(type: string, example: unknown): string | undefined {
  if (type === BYTES) return '@file'
  if (typeof example === 'string') return example
  if (type === 'application/x-www-form-urlencoded')
    return String(new URLSearchParams(example as Record<string, string>))
  return JSON.stringify(example, null, 2)
}
