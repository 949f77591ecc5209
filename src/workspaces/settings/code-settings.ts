import type { Caller } from '../../access/caller.ts'
import type { CodesOfWorkspaces } from '../../links/place-unusual.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { valueOfSetting } from './read-settings.ts'

type ChosenCodes = Awaited<ReturnType<CodesOfWorkspaces['of']>>

/** Every creation of a link reads it, so it is kept for so long. Another node may create links by the one before until then. */
const KEPT_US = 1_000_000
const KEPT_MAX = 10_000

export class CodeSettings implements CodesOfWorkspaces {
  readonly #db: CurrentDb
  readonly #clock: Pick<Clock, 'nowUs'>
  readonly #kept = new Map<number, { chosen: Promise<ChosenCodes>; untilUs: number }>()

  constructor({ db, clock }: { db: CurrentDb; clock: Pick<Clock, 'nowUs'> }) {
    this.#db = db
    this.#clock = clock
  }

  of({ workspaceId }: Pick<Caller, 'workspaceId'>): Promise<ChosenCodes> {
    const nowUs = this.#clock.nowUs()
    const kept = this.#kept.get(workspaceId)
    if (kept !== undefined && kept.untilUs > nowUs) return kept.chosen
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear()
    const chosen = this.#read(workspaceId)
    this.#kept.set(workspaceId, { chosen, untilUs: nowUs + KEPT_US })
    chosen.catch(() => this.forget(workspaceId))
    return chosen
  }

  /** It has changed. */
  forget(workspaceId: number): void {
    this.#kept.delete(workspaceId)
  }

  async #read(workspaceId: number): Promise<ChosenCodes> {
    const rows = await this.#db
      .selectFrom('workspace_settings')
      .select(['name', 'value'])
      .where('workspace_id', '=', workspaceId)
      .where('name', 'in', ['code_style', 'unusual_codes'])
      .execute()
    const textOf = (name: string) => rows.find((row) => row.name === name)?.value
    return {
      codeStyle: valueOfSetting('code_style', textOf('code_style')) ?? undefined,
      allowsUnusual: valueOfSetting('unusual_codes', textOf('unusual_codes')),
    }
  }
}
