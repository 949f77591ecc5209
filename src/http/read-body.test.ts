import { expect, test } from 'bun:test'
import { BODY_BYTES_MAX, readBody } from './read-body.ts'

const KIB = 1024

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

test('a request without a body has none', async () => {
  expect(await readBody(new Request('http://localhost/'))).toBeUndefined()
})

test('a body up to the limit is read', async () => {
  for (const size of [1, 1000, BODY_BYTES_MAX]) {
    expect(await sizeOf(post('x'.repeat(size), { 'Content-Length': String(size) }))).toBe(size)
    expect(await sizeOf(post('x'.repeat(size)))).toBe(size)
  }
})

test('a larger one is refused by what it declares, and not read', async () => {
  const { stream, taken } = chunks(2_000)
  const request = post(stream, { 'Content-Length': String(BODY_BYTES_MAX + 1) })
  expect(await sizeOf(request)).toBe('too-large')
  expect(taken()).toBeLessThan(10)
})

test('one of undeclared length is read up to the limit and no further', async () => {
  const fits = chunks(BODY_BYTES_MAX / KIB)
  expect(await sizeOf(post(fits.stream))).toBe(BODY_BYTES_MAX)
  const isTooLarge = chunks(10 * (BODY_BYTES_MAX / KIB))
  expect(await sizeOf(post(isTooLarge.stream))).toBe('too-large')
  expect(isTooLarge.taken()).toBeLessThan(2 * (BODY_BYTES_MAX / KIB))
})
