import { type SharedTurns, WriteTurn } from '../../src/store/write-turn.ts'

/** A thread that says that it waits, takes its turn, says so, and gives it back. */
declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<SharedTurns>) => {
  const turn = new WriteTurn(data)
  const taken = turn.take()
  self.postMessage('waiting')
  await taken
  self.postMessage('taken')
  turn.give()
}
