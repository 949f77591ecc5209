/** One thing that was asked of the service, and what came back. */
export type Operation<Asked, Answered> = {
  asked: Asked
  /** Undefined when the connection ended first: it was done before that, or never. */
  answered: Answered | undefined
  /** Places in the order of all beginnings and ends. */
  begunAt: number
  endedAt: number
}

/** 'not asked' when there is nothing to record: nobody listened, or the answer says nothing about the thing. */
export type Outcome<Answered> = Answered | 'unknown' | 'not asked'

/** What several clients have asked of things of one kind, and when, as they saw it. */
export class History<Asked, Answered> {
  readonly operations = new Map<string, Operation<Asked, Answered>[]>()
  #moment = 0

  async record(subject: string, asked: Asked, ask: () => Promise<Outcome<Answered>>): Promise<void> {
    const begunAt = ++this.#moment
    const outcome = await ask()
    if (outcome === 'not asked') return
    const answered = outcome === 'unknown' ? undefined : outcome
    const ofSubject = this.operations.get(subject) ?? []
    ofSubject.push({ asked, answered, begunAt, endedAt: ++this.#moment })
    this.operations.set(subject, ofSubject)
  }
}
