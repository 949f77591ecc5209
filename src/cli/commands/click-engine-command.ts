import { Refusal } from '../../errors/refusal.ts'
import { CLICK_ENGINE_COMMAND } from '../../clicks/parquet/engine-process.ts'
import type { Command } from '../command.ts'

export const clickEngineCommand: Command = {
  name: CLICK_ENGINE_COMMAND,
  words: ['<data folder>'],
  isHidden: true,
  summary: 'Answer queries about clicks; started by the server, which it ends with.',
  async run({ words: [dataDir = ''] }) {
    if (process.send === undefined)
      throw new Refusal('command_failed', 'Only a server can start this command.')
    const { serveEngine } = await import('../../clicks/parquet/serve-engine.ts')
    await serveEngine(dataDir)
  },
}
