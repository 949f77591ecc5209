import { type Access, RecordingClient, Records } from './recording-client.ts'

type LoadSettings = {
  /** Two accounts that compete for codes. The links below belong to the first. */
  accounts: [Access, Access]
  switches: readonly string[]
  titled: readonly string[]
  clicked: readonly string[]
  /** Like Math.random. */
  random(): number
}

/** The requests of a client, one after the other. */
type Habit = (client: RecordingClient) => Promise<void>

const PAUSE_MS_MAX = 8
/** Requests for each code or Idempotency-Key before the next one. */
const DEEDS_PER_CODE = 12
const DEEDS_PER_KEY = 6
/** Codes that clients compete for at the same time. */
const CODES_AT_ONCE = 3

/** Clients that claim, delete, toggle, edit, read and repeat at the same time, each one request after the other. */
export class RecordedLoad {
  readonly records = new Records()
  readonly #settings: LoadSettings
  readonly #running: Promise<unknown>
  #isStopping = false
  #codeDeeds = 0
  #keyDeeds = 0
  #titles = 0

  constructor(settings: LoadSettings) {
    this.#settings = settings
    const [one, other] = settings.accounts
    const habits: [howMany: number, Access, Habit][] = [
      [3, one, (client) => this.#compete(client)],
      [3, other, (client) => this.#compete(client)],
      [3, one, (client) => this.#toggle(client)],
      [2, one, (client) => this.#edit(client)],
      [2, one, (client) => client.look('clickCounts', this.#pick(settings.clicked))],
      [3, one, (client) => this.#repeat(client)],
      [6, one, (client) => client.makePlain(`Title ${++this.#titles}`)],
    ]
    const clients = habits.flatMap(([howMany, access, habit]) =>
      Array.from({ length: howMany }, () => this.#keepUp(access, habit)),
    )
    this.#running = Promise.all(clients)
  }

  get accounts(): [Access, Access] {
    return this.#settings.accounts
  }

  async stop(): Promise<Records> {
    this.#isStopping = true
    await this.#running
    return this.records
  }

  /** Call it after the stop. Reads back what was acknowledged and adds it to the histories. */
  async lookAtEverything(): Promise<void> {
    const { accounts, switches, clicked } = this.#settings
    for (const access of accounts) {
      const client = new RecordingClient(access, this.records)
      for (const code of this.records.codes.operations.keys()) await client.lookFor(code)
      client.close()
    }
    const owner = new RecordingClient(accounts[0], this.records)
    for (const code of switches) await owner.look('switches', code)
    for (const code of this.records.titles.operations.keys()) await owner.look('titles', code)
    for (const code of clicked) await owner.look('clickCounts', code)
    for (const key of this.records.repeats.operations.keys()) await owner.makeOnce(key)
    owner.close()
  }

  async #keepUp(access: Access, habit: Habit): Promise<void> {
    const client = new RecordingClient(access, this.records)
    while (!this.#isStopping) {
      await habit(client)
      await Bun.sleep(this.#settings.random() * PAUSE_MS_MAX)
    }
    client.close()
  }

  #compete(client: RecordingClient): Promise<void> {
    const newest = Math.floor(this.#codeDeeds++ / DEEDS_PER_CODE)
    const code = `wanted-${newest + Math.floor(this.#settings.random() * CODES_AT_ONCE)}`
    const choice = this.#settings.random()
    if (choice < 0.5) return client.claim(code)
    return choice < 0.7 ? client.delete(code) : client.lookFor(code)
  }

  #toggle(client: RecordingClient): Promise<void> {
    const code = this.#pick(this.#settings.switches)
    return this.#settings.random() < 0.7 ? client.toggle(code) : client.look('switches', code)
  }

  #edit(client: RecordingClient): Promise<void> {
    const code = this.#pick(this.#settings.titled)
    return this.#settings.random() < 0.5
      ? client.writeTitle(code, `Title ${++this.#titles}`)
      : client.look('titles', code)
  }

  #repeat(client: RecordingClient): Promise<void> {
    return client.makeOnce(`key-${Math.floor(this.#keyDeeds++ / DEEDS_PER_KEY)}-of-many`)
  }

  #pick<Item>(list: readonly Item[]): Item {
    return list[Math.floor(this.#settings.random() * list.length)]!
  }
}
