import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { changedCheckout } from '../rigs/program/changed-checkout.ts'
import { useSharedFolders } from '../rigs/use-rig.ts'
import { SABOTAGES } from './sabotages.data.ts'

/** `SABOTAGES=all` tries the rare ones too, which take minutes. */
const tried = SABOTAGES.filter(({ isRare }) => !isRare || process.env.SABOTAGES === 'all')
/** Most are detected within a hundred. */
const SEEDS_MAX = 5_000
setDefaultTimeout(300_000)

const folders = useSharedFolders()

test.each(tried)('the simulation notices a program that $title', async ({ changes }) => {
  const script = join(changedCheckout(folders.make(), ...changes), 'test/simulation/simulate.ts')
  const words = ['--seeds', String(SEEDS_MAX), '--until-broken']
  const simulating = Bun.spawn([process.execPath, script, ...words], { stdout: 'pipe', stderr: 'ignore' })
  expect(await simulating.stdout.text()).toMatch(
    /^\nSeed \d+:\n  ((?:Click|Link) \d+ |The click file |Not so: |Without a reason: |\d+ records )/,
  )
  expect(await simulating.exited).toBe(1)
})
