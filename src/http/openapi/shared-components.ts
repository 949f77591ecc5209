type Reference = { $ref: string }
type Parameter = { name: string } | Reference
type Operation = { parameters?: Parameter[]; responses?: Record<string, object> }
type Document = { paths?: object; components?: object }

/**
 * Describes parameters, and responses to requests that fail, once in `components` if several operations have them. The document
 * would be five times as long.
 */
export function shareComponents<Shared extends Document>(document: Shared): Shared {
  const items = Object.values((document.paths ?? {}) as Record<string, Record<string, Operation>>)
  const operations = items.flatMap((item) => Object.values(item))
  const parameters = shared(
    'parameters',
    operations
      .flatMap((operation) => operation.parameters ?? [])
      .flatMap((part) => ('name' in part ? [{ name: part.name, part }] : [])),
  )
  const responses = shared(
    'responses',
    operations
      .flatMap((operation) => Object.entries(operation.responses ?? {}))
      .flatMap(([status, part]) => (Number(status) >= 400 ? [{ name: `Error${status}`, part }] : [])),
  )
  for (const operation of operations) {
    operation.parameters &&= operation.parameters.map(parameters.referenceTo)
    for (const [status, part] of Object.entries(operation.responses ?? {}))
      operation.responses![status] = responses.referenceTo(part)
  }
  const components = { ...document.components, parameters: parameters.byName, responses: responses.byName }
  return { ...document, components }
}

function shared<Part extends object>(kind: string, parts: readonly { name: string; part: Part }[]) {
  const byName = new Map<string, Part>()
  const references = new Map<string, Reference>()
  for (const [text, [first, ...others]] of Map.groupBy(parts, ({ part }) => JSON.stringify(part))) {
    if (others.length === 0) continue
    const name = freeName(first!.name, byName)
    byName.set(name, first!.part)
    references.set(text, { $ref: `#/components/${kind}/${name}` })
  }
  return {
    byName: Object.fromEntries(byName),
    referenceTo: <Any extends object>(part: Any) => references.get(JSON.stringify(part)) ?? part,
  }
}

/** Those of other endpoints may have the same name and mean something else. */
function freeName(name: string, named: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let count = 2; named.has(free); count++) free = `${name}_${count}`
  return free
}
