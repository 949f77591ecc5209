type Prototype = Record<string, unknown>

/** Kills this process right before the n-th call of any of the methods that are watched; 0: never. */
export class DeathAtNth {
  /** What was called, in order: the first parameter, where that is a text. */
  readonly calls: string[] = []
  readonly #nth: number

  constructor(nth: number) {
    this.#nth = nth
  }

  watch(owner: object, ...names: string[]): void {
    for (const name of names) {
      const call = (owner as Prototype)[name] as (...parameters: unknown[]) => unknown
      const note = (text: string) => this.note(text)
      ;(owner as Prototype)[name] = function (...parameters: unknown[]) {
        note(textOf(parameters[0]))
        return call.apply(this, parameters)
      }
    }
  }

  note(text: string): void {
    this.calls.push(text)
    if (this.calls.length === this.#nth) process.kill(process.pid, 'SIGKILL')
  }
}

function textOf(parameter: unknown): string {
  const text = (parameter as { sql?: unknown } | undefined)?.sql ?? parameter
  return typeof text === 'string' ? text : ''
}
