import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, QueryResult } from 'kysely'
import { type PlaceLimits, WorkspacePlaces } from '../limits/workspace-places.ts'
import { StoreConnection } from './kysely-driver.ts'

type Connect = () => StoreConnection

type Request = {
  workspaceId: number
  /** Undefined until it lists or reports something. */
  turn: Promise<void> | undefined
  isOver: boolean
  end: PromiseWithResolvers<void>
}

const requests = new AsyncLocalStorage<Request>()

/**
 * Runs one request of a workspace. Its first statement for a list or a report waits for the workspace's turn, which then lasts
 * until the request is done: a request with many statements waits once.
 */
export async function withReportTurn<Result>(
  workspaceId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const request: Request = { workspaceId, turn: undefined, isOver: false, end: Promise.withResolvers() }
  try {
    return await requests.run(request, work)
  } finally {
    request.isOver = true
    request.end.resolve()
  }
}

/** Whose lists and reports run: workspaces take turns, so that the expensive ones of one do not make all others wait. */
export class ReportTurns {
  readonly #places: WorkspacePlaces

  constructor(limits: PlaceLimits) {
    this.#places = new WorkspacePlaces(limits, 'Too many lists and reports are in progress.')
  }

  /** The same connections, whose statements wait for the turn of their request. */
  inTurn(connect: Connect): Connect {
    return () => new ConnectionInTurn(connect(), this)
  }

  /** Outside of a request, and in what it goes on streaming, nothing waits: see StreamPlaces. */
  async wait(): Promise<void> {
    const request = requests.getStore()
    if (request === undefined || request.isOver) return
    await (request.turn ??= this.#begin(request))
  }

  #begin({ workspaceId, end }: Request): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const untilTheEnd = () => {
      resolve()
      return end.promise
    }
    this.#places.run(workspaceId, untilTheEnd).catch(reject)
    return promise
  }
}

class ConnectionInTurn extends StoreConnection {
  readonly #connection: StoreConnection
  readonly #turns: ReportTurns

  constructor(connection: StoreConnection, turns: ReportTurns) {
    super()
    this.#connection = connection
    this.#turns = turns
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.#turns.wait()
    return this.#connection.executeQuery<Row>(query)
  }

  begin = () => this.#connection.begin()
  commit = () => this.#connection.commit()
  rollback = () => this.#connection.rollback()
  release = () => this.#connection.release()
}
