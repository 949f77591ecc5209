import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useFolders } from '../../../test/rigs/use-rig.ts'

const SCRIPT = fileURLToPath(new URL('../../../test/rigs/store/crowded-pool.script.ts', import.meta.url))
const WAITING = 3

const folders = useFolders()

test('three threads of the pool that wait for the disk hold nothing up, and the process keeps its id and has all variables', async () => {
  const pipe = join(folders.make(), 'pipe')
  expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0)
  const env = { PATH: process.env.PATH! }
  const child = Bun.spawn([process.execPath, SCRIPT, pipe, String(WAITING), 'tuned'], {
    env,
    stdout: 'pipe',
  })
  expect(await new Response(child.stdout).json()).toEqual([child.pid, '0'])
})
