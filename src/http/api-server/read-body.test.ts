import { expect, test } from 'bun:test'
import { BODY_BYTES_MAX, readBody } from './read-body.ts'

const KIB = 1024

test('a request without a body has none', async () => {
  expect(await readBody(new Request('http://localhost/'))).toBeUndefined()
})

test('a body up to the limit is read', async () => {
  for (const size of [1, 1000, BODY_BYTES_MAX]) {
    expect(await sizeOf(post('x'.repeat(size), { 'Content-Length': String(size) }))).toBe(size)
    expect(await sizeOf(post('x'.repeat(size)))).toBe(size)
  }
})

test('a larger one is read to its end, and dropped, whether it declares its length or not', async () => {
  const size = 10 * BODY_BYTES_MAX
  for (const headers of [{ 'Content-Length': String(size) }, {}]) {
    const { stream, taken } = chunks(size / KIB)
    expect(await sizeOf(post(stream, headers))).toBe('too-large')
    expect(taken()).toBe(size / KIB)
  }
})

test('one of undeclared length is kept up to the limit', async () => {
  expect(await sizeOf(post(chunks(BODY_BYTES_MAX / KIB).stream))).toBe(BODY_BYTES_MAX)
  expect(await sizeOf(post(chunks(BODY_BYTES_MAX / KIB + 1).stream))).toBe('too-large')
})

test('the end of a larger one is not waited for for long', async () => {
  let wasCanceled = false
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(KIB)),
    cancel: () => void (wasCanceled = true),
  })
  const request = post(endless, { 'Content-Length': String(BODY_BYTES_MAX + 1) })
  expect(await readBody(request, 10)).toBe('too-large')
  expect(wasCanceled).toBe(true)
})

function post(body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers })
}

/** A body of undeclared length that notes how many of its chunks were asked for. */
function chunks(count: number) {
  let taken = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken === count) return controller.close()
      taken += 1
      controller.enqueue(new Uint8Array(KIB).fill(120))
    },
  })
  return { stream, taken: () => taken }
}

const sizeOf = async (request: Request) => {
  const body = await readBody(request)
  return body instanceof ArrayBuffer ? body.byteLength : body
}
