import { expect, test } from 'bun:test'
import type { Log } from '../../runtime/log.ts'
import { ResponseStreams } from './response-streams.ts'

test('a file that is read to its end is whole', async () => {
  const { streams, logged } = streamsOf()
  const texts = ['a', 'b']
  const response = responseOf('text/csv; charset=utf-8', (controller) => {
    const text = texts.shift()
    if (text === undefined) controller.close()
    else controller.enqueue(new TextEncoder().encode(text))
  })
  expect(await textOf(streams.add(response))).toBe('ab')
  expect(logged).toEqual([])
})

test('a file that fails on the way does not end as if it were whole', async () => {
  const { streams, logged } = streamsOf()
  let pulls = 0
  const response = responseOf('application/x-ndjson', (controller) => {
    if (pulls++ > 0) throw new Error('The disk is gone.')
    controller.enqueue(new TextEncoder().encode('half'))
  })
  expect(await textOf(streams.add(response)).catch(String)).toContain('has not been read to its end')
  expect(logged).toEqual(['A response was aborted.'])
})

test.each([
  ['text/csv', 'Error: The response has not been read to its end.'],
  ['text/event-stream', 'first'],
])('when the program ends, %s ends with it', async (type, expected) => {
  const { streams } = streamsOf()
  const response = responseOf(type, (controller) => controller.enqueue(new TextEncoder().encode('first')))
  const reader = streams.add(response).getReader()
  const { value } = await reader.read()
  await streams.endAll()
  const rest = await reader
    .read()
    .then(({ done }) => (done ? new TextDecoder().decode(value) : 'more'), String)
  expect(rest).toBe(expected)
})

function streamsOf() {
  const logged: string[] = []
  const note = (message: string) => void logged.push(message)
  const log = { error: note, warn: note, info: note, debug: note } as unknown as Log
  return { streams: new ResponseStreams(log), logged }
}

const responseOf = (type: string, pull: (controller: ReadableStreamDefaultController) => void) =>
  new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: { 'Content-Type': type } })

const textOf = (body: ReadableStream) => new Response(body).text()
