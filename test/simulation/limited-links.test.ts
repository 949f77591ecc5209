import { expect, test } from 'bun:test'
import { LimitSimulation } from './limit-simulation.ts'

const SEEDS = Number(process.env.LIMIT_SEEDS ?? 200)

test(`in ${SEEDS} runs, no link leads too many visitors on, and each end of a node costs it one opening at most`, async () => {
  let [ledOfAll, lostOfAll] = [0, 0]
  for (let seed = 1; seed <= SEEDS; seed++) {
    const simulation = new LimitSimulation(seed)
    await simulation.perform()
    const { broken, led, max } = simulation.end
    expect({ seed, broken }).toEqual({ seed, broken: [] })
    ledOfAll += led
    lostOfAll += max - led
    simulation.close()
  }
  // Something was lost, and much more was not.
  expect(lostOfAll).toBeGreaterThan(0)
  expect(ledOfAll).toBeGreaterThan(3 * lostOfAll)
})
