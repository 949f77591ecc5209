import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type ClickHouseRig, useClickHouse } from '../../rigs/clicks/clickhouse-rig.ts'
import { isRealClickHouse, lacksClickHouse } from '../../rigs/clicks/clickhouse-server.ts'
import { ATTEMPTS_MAX, KILLS, nthOf } from '../../rigs/program/kills.ts'
import { startScript } from '../../rigs/program/run-script.ts'

setDefaultTimeout(300_000 + KILLS * 10_000)

const CLICKS_PER_ATTEMPT = 200
/** Of the time that a move takes, as many parts. */
const MOMENTS = 10

describe.skipIf(lacksClickHouse)('no click is lost or counted twice when', () => {
  const used = useClickHouse()

  test.skipIf(isRealClickHouse)('ClickHouse is killed at any moment of a move', async () => {
    const { rig, server } = used
    const clicks = new Clicks(rig)
    let wholeMs = 0
    let kills = 0
    for (let attempt = 0; kills < KILLS && attempt < ATTEMPTS_MAX; attempt++) {
      await clicks.add()
      const startedMs = performance.now()
      const move = Promise.allSettled([clicks.move()])
      if (attempt % MOMENTS === 0) {
        // The machine says how long it takes at the moment.
        await move
        wholeMs = performance.now() - startedMs
      }
      await Bun.sleep((wholeMs * (attempt % MOMENTS)) / MOMENTS)
      await server.kill()
      const [outcome] = await move
      if (outcome!.status === 'rejected') {
        kills++
        expect(outcome).toMatchObject({ reason: { code: 'away' } })
      }
      await server.startAgain()
      await clicks.expectEachOnce()
    }
    expect(kills).toBe(KILLS)
    await clicks.move()
    await clicks.expectEachOnce()
    expect(await rig.openRows()).toBe(0)
  })

  test('the process that moves them is killed before any statement or at any moment', async () => {
    const { rig } = used
    const clicks = new Clicks(rig)
    let whole = { statements: 1, ms: 0 }
    let kills = 0
    for (let attempt = 0; kills < KILLS && attempt < ATTEMPTS_MAX; attempt++) {
      await clicks.add()
      const at = attempt % MOMENTS
      const death =
        attempt % 2 === 0
          ? { nth: at === 0 ? 0 : nthOf(attempt / 2, whole.statements) }
          : { afterMs: (whole.ms * at) / MOMENTS }
      const moved = await runMover(clicks.words, death)
      if (moved === undefined) kills++
      else if (at === 0) whole = moved
      await clicks.expectEachOnce()
    }
    expect(kills).toBe(KILLS)
    await clicks.move()
    await clicks.expectEachOnce()
    expect(await rig.openRows()).toBe(0)
  })
})

/** Each is of a link of its own. */
class Clicks {
  #count = 0

  constructor(readonly rig: ClickHouseRig) {}

  async add(): Promise<void> {
    await this.rig.add(Array.from({ length: CLICKS_PER_ATTEMPT }, () => ({ link_id: ++this.#count })))
  }

  move(): Promise<void> {
    return this.rig.newMover().moveUpTo(this.#count)
  }

  /** Of the script that moves all. */
  get words(): string[] {
    return [this.rig.databaseUrl, this.rig.url, String(this.#count)]
  }

  async expectEachOnce(): Promise<void> {
    const [rows] = await this.rig.answer({ groups: [{ by: ['link_id'] }] })
    const links = rows!.map(({ keys: [link], clicks }) => [link, clicks])
    // Newer links come first where all have as many clicks.
    const expected = Array.from({ length: this.#count }, (_, place) => [this.#count - place, 1])
    expect(Bun.hash(JSON.stringify(links))).toBe(Bun.hash(JSON.stringify(expected)))
  }
}

/** What the whole move has taken; undefined if it was killed before. */
async function runMover(words: readonly string[], { nth = 0, afterMs }: { nth?: number; afterMs?: number }) {
  const mover = startScript('killed-mover.script.ts', ...words, String(nth))
  const reader = mover.stdout.pipeThrough(new TextDecoderStream()).getReader()
  let output = (await reader.read()).value ?? ''
  const startedMs = performance.now()
  if (afterMs !== undefined) {
    await Bun.sleep(afterMs)
    mover.kill('SIGKILL')
  }
  for (let part = await reader.read(); !part.done; part = await reader.read()) output += part.value
  await mover.exited
  const [, statements] = /moved by (\d+) statements/.exec(output) ?? []
  if (statements === undefined) return undefined
  return { statements: Number(statements), ms: performance.now() - startedMs }
}
