import { expect, test } from 'bun:test'
import { programCommand } from './program-command.ts'

test('the program is started once more, whatever has started this process', () => {
  const { exitCode, stdout } = Bun.spawnSync([...programCommand(), '--version'])
  expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('tern ')])
})
