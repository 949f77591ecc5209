type Parameter = { name: string } | { $ref: string }
type PathItem = Record<string, { parameters?: Parameter[] }>
type Document = { paths?: object; components?: { parameters?: Record<string, object> } }

/** Describes parameters that several operations have once, in `components`. The document would be three times as long. */
export function shareParameters<Shared extends Document>(document: Shared): Shared {
  const operations = Object.values((document.paths ?? {}) as Record<string, PathItem>).flatMap((item) =>
    Object.values(item),
  )
  const all = operations.flatMap(({ parameters = [] }) => parameters)
  const byText = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  const named = new Map<string, Parameter>()
  const references = new Map<string, Parameter>()
  for (const [text, [first, ...others]] of byText) {
    if (others.length === 0 || !('name' in first!)) continue
    const name = freeName(first.name, named)
    named.set(name, first)
    references.set(text, { $ref: `#/components/parameters/${name}` })
  }
  for (const operation of operations)
    if (operation.parameters !== undefined)
      operation.parameters = operation.parameters.map((each) => references.get(JSON.stringify(each)) ?? each)
  return { ...document, components: { ...document.components, parameters: Object.fromEntries(named) } }
}

/** Parameters of other endpoints may have the same name and mean something else. */
function freeName(name: string, named: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let count = 2; named.has(free); count++) free = `${name}_${count}`
  return free
}
