/** A request to the service and its response. */
export type Operation<Asked, Answered> = {
  asked: Asked
  /** Undefined if the connection ended first: the request took effect before that, or never. */
  answered: Answered | undefined
  /** Positions in the order of all starts and ends. */
  begunAt: number
  endedAt: number
}

/** 'not asked': nothing to record, because nobody listened or the answer says nothing about the object. */
export type Outcome<Answered> = Answered | 'unknown' | 'not asked'

/** The requests of several clients to objects of one kind, as the clients saw them. */
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
