/** Calls `make` once, and again after it has failed. */
export function once<Value>(make: () => Value): () => Value {
  let result: { value: Value } | undefined
  const forget = () => void (result = undefined)
  return () => {
    if (result !== undefined) return result.value
    result = { value: make() }
    if (result.value instanceof Promise) result.value.catch(forget)
    return result.value
  }
}
