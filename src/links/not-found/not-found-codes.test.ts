import { expect, test } from 'bun:test'
import { type NotFoundCode, NotFoundCodes } from './not-found-codes.ts'

test('visits add up by code and domain, and are sent once', () => {
  const { codes, sent } = opened()
  for (const [domainId, code] of [
    [5, 'a'],
    [5, 'a'],
    [5, 'b'],
    [6, 'a'],
  ] as const)
    codes.note({ domainId, code })
  codes.sendAll()
  codes.sendAll()
  expect(sent).toEqual([
    [
      { domainId: 5, code: 'a', visits: 2 },
      { domainId: 5, code: 'b', visits: 1 },
      { domainId: 6, code: 'a', visits: 1 },
    ],
  ])
})

test('invented codes are bounded, and known ones go on', () => {
  const { codes, sent } = opened()
  for (let at = 0; at < 10_000; at++) codes.note({ domainId: 5, code: `code-${at}` })
  codes.note({ domainId: 5, code: 'code-0' })
  codes.sendAll()
  expect(sent[0]).toHaveLength(500)
  expect(sent[0]![0]).toEqual({ domainId: 5, code: 'code-0', visits: 2 })
})

function opened() {
  const sent: NotFoundCode[][] = []
  return { sent, codes: new NotFoundCodes((codes) => sent.push(codes)) }
}
