import type { SQL } from 'bun'
import { schemaOfUrl } from './schema-of-url.ts'

const ANSWER_MS_MAX = 3_000
/** The connection is only needed while something is slow. */
const IDLE_SECONDS_MAX = 10

/**
 * Whether a server responds to anything. A statement that takes long says nothing of it: the server may be working. So the
 * simplest one is sent on a connection of its own. Shared by the pools of a thread.
 *
 *   responds ──(no answer within three seconds)──▶ silent ──(an answer, or an error)──▶ responds
 */
export class ServerWatch {
  readonly #url: string
  readonly #listeners: (() => void)[] = []
  #sql: SQL
  #isChecking = false
  #isSilent = false
  #isClosed = false

  constructor(url: string) {
    this.#url = url
    this.#sql = this.#connect()
  }

  /** Statements would not be answered, and connections would not be opened. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  onSilence(call: () => void): void {
    this.#listeners.push(call)
  }

  /** Call it while something takes long. */
  check(): void {
    if (!this.#isChecking) void this.#checkUntilAnswered()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#sql.close({ timeout: 0 })
  }

  async #checkUntilAnswered(): Promise<void> {
    this.#isChecking = true
    while (!(await this.#isAnswered()) && !this.#isClosed) {
      if (this.#isSilent) continue
      this.#isSilent = true
      for (const call of this.#listeners) call()
    }
    this.#isSilent = false
    this.#isChecking = false
  }

  async #isAnswered(): Promise<boolean> {
    const sql = this.#sql
    const answer = sql.unsafe('SELECT 1').then(
      () => true,
      () => true,
    )
    const isAnswered = await Promise.race([answer, Bun.sleep(ANSWER_MS_MAX).then(() => false)])
    if (!isAnswered && !this.#isClosed) {
      // On the same connection the next one would wait behind this one, also if only the network has recovered.
      this.#sql = this.#connect()
      void sql.close({ timeout: 0 }).catch(() => {})
    }
    return isAnswered
  }

  #connect(): SQL {
    return new Bun.SQL(schemaOfUrl(this.#url).url, {
      max: 1,
      connectionTimeout: ANSWER_MS_MAX / 1_000,
      idleTimeout: IDLE_SECONDS_MAX,
      connection: { application_name: 'tern watch' },
    })
  }
}
