const SHOWN_MAX = 5

/** The first places at which two answers differ, with what each has there. */
export function differences(one: unknown, other: unknown): string[] {
  return [...differingPlaces(one, other, '')].slice(0, SHOWN_MAX)
}

function* differingPlaces(one: unknown, other: unknown, place: string): Generator<string> {
  if (Bun.deepEquals(one, other)) return
  if (!isObject(one) || !isObject(other))
    return yield `${place || 'it'} is ${JSON.stringify(one)}, not ${JSON.stringify(other)}`
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
    yield* differingPlaces(one[key], other[key], `${place}/${key}`)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
