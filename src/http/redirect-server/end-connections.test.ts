import { expect, test } from 'bun:test'
import { until } from '../../../test/rigs/eventually.ts'
import { systemClock } from '../../runtime/clock.ts'
import { endConnections, type Ending } from './end-connections.ts'

test('idle connections end at once, new ones a moment later, busy ones after their response', async () => {
  const { open, ended, add } = connections()
  add('kept', { wasAnswered: true })
  add('silent')
  const busy = add('busy', { isBusy: true })
  let isDone = false
  const done = endConnections(open, systemClock).then(() => (isDone = true))
  expect(ended).toEqual(['kept'])
  await until(() => ended.length === 2)
  expect([ended, isDone]).toEqual([['kept', 'silent'], false])
  busy.data.isBusy = false
  busy.end()
  await done
})

test('a first request that arrives in that moment is answered', async () => {
  const { open, ended, add } = connections()
  const asking = add('asking')
  const done = endConnections(open, systemClock)
  asking.data.isBusy = true
  let isDone = false
  void done.then(() => (isDone = true))
  await Bun.sleep(300)
  expect([ended, isDone]).toEqual([[], false])
  asking.data.isBusy = false
  asking.end()
  await done
})

test('a request that is proxied is left to its server', async () => {
  const { open, ended, add } = connections()
  add('proxied', { proxied: { isBusy: true }, wasAnswered: true })
  await endConnections(open, systemClock)
  expect(ended).toEqual([])
})

test('a client that does not read its response delays the end only briefly', async () => {
  const { open, ended, add } = connections()
  add('not reading', { isBusy: true, wasAnswered: true, unsent: {} })
  await endConnections(open, systemClock)
  expect(ended).toEqual(['not reading'])
})

test('a client that reads its response in time gets all of it', async () => {
  const { open, ended, add } = connections()
  const reading = add('reading', { isBusy: true, wasAnswered: true, unsent: {} })
  const done = endConnections(open, systemClock)
  await Bun.sleep(300)
  expect(ended).toEqual([])
  reading.data.isBusy = false
  reading.end()
  await done
})

function connections() {
  const open = new Set<ReturnType<typeof add>>()
  const ended: string[] = []
  const add = (name: string, state: Partial<Ending['data']> = {}) => ({
    data: { isBusy: false, wasAnswered: false, proxied: undefined, unsent: undefined, ...state },
    end() {
      ended.push(name)
      open.delete(this)
    },
  })
  return {
    open,
    ended,
    add(...of: Parameters<typeof add>) {
      const connection = add(...of)
      open.add(connection)
      return connection
    },
  }
}
