import { expect, test } from 'bun:test'
import { PendingReplies } from './pending-replies.ts'

const sentBy = (pending: PendingReplies<string>, ids: number[]) => pending.request((id) => void ids.push(id))

test('each request gets the reply with its id, in any order', async () => {
  const pending = new PendingReplies<string>()
  const ids: number[] = []
  const replies = [sentBy(pending, ids), sentBy(pending, ids)]
  pending.resolve(ids[1]!, 'second')
  pending.resolve(ids[0]!, 'first')
  expect(await Promise.all(replies)).toEqual(['first', 'second'])
})

test('one request fails alone, or all of them together, and later replies are dropped', async () => {
  const pending = new PendingReplies<string>()
  const ids: number[] = []
  const replies = [sentBy(pending, ids), sentBy(pending, ids), sentBy(pending, ids)]
  pending.reject(ids[0]!, new Error('refused'))
  pending.rejectAll(new Error('ended'))
  for (const id of ids) pending.resolve(id, 'late')
  const settled = await Promise.allSettled(replies)
  expect(settled.map((each) => (each.status === 'rejected' ? each.reason.message : each.value))).toEqual([
    'refused',
    'ended',
    'ended',
  ])
  const next = sentBy(pending, ids)
  pending.resolve(ids.at(-1)!, 'again')
  expect(await next).toBe('again')
})
