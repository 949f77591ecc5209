import { afterAll, beforeAll, expect, test } from 'bun:test'
import { clientOf } from '../../test/rigs/outside/guarded-client-rig.ts'
import { type PageServer, startPageServer } from '../../test/rigs/outside/page-server.ts'
import { ownerOf } from '../../test/rigs/store/owner-of.ts'
import { Refusal } from '../errors/refusal.ts'
import { defaultKey } from '../links/link-key.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { DestinationPages } from './destination-pages.ts'
import { readPage } from './read-page.ts'
import { TitleQueue } from './title-queue.ts'

const caller = { ...ownerOf(7), userId: 1 }

let server: PageServer
beforeAll(async () => (server = await startPageServer()))
afterAll(() => server.stop())

test('titles are filled, and those that fail hold up nothing', async () => {
  const { queue, add, filled, logged } = openWithPages()
  for (const code of ['a', 'gone', 'bug', 'z']) server.serve(`/${code}`, `<title>Page ${code}</title>`)
  add('a', 'missing', 'gone', 'bug', 'z')
  expect(filled).toEqual({})
  await queue.settle()
  expect(filled).toEqual({ a: 'Page a', z: 'Page z' })
  expect(logged).toEqual(['Could not fill a title.'])
})

test('beyond the limit of a minute, titles stay empty', async () => {
  const { queue, add, filled, logged } = openWithPages()
  const codes = Array.from({ length: 300 }, (_, index) => `page${index}`)
  for (const code of codes) server.serve(`/${code}`, '<title>Page</title>')
  add(...codes)
  await queue.settle()
  expect(Object.keys(filled)).toHaveLength(240)
  expect(logged).toEqual([])
})

test('beyond four hundred that wait, too', async () => {
  const pages = new DestinationPages({
    client: clientOf(),
    clock: systemClock,
    readPage: async (page) => readPage(page),
  })
  const { queue, add, filled } = open(pages)
  const before = server.requests.length
  server.serve('/silent', () => {})
  add(...Array<string>(1_000).fill('silent'))
  pages.close()
  await queue.settle()
  expect(filled).toEqual({})
  expect(server.requests.length - before).toBeLessThanOrEqual(2)
})

test('nothing happens where destinations are not looked at', async () => {
  const { queue, add, filled } = open(undefined)
  server.serve('/quiet', '<title>Quiet</title>')
  add('quiet')
  await queue.settle()
  expect(filled).toEqual({})
})

/** A queue, with what it has stored and logged. */
function open(pages: DestinationPages | undefined) {
  const filled: Record<string, string> = {}
  const logged: string[] = []
  const note = (message: string) => void logged.push(message)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const queue = new TitleQueue({
    pages,
    log,
    async fillTitle(_, { key: { code }, title }) {
      if (code === 'gone') throw new Refusal('link_not_found', 'Link not found.')
      if (code === 'bug') throw new TypeError('a bug')
      filled[code] = title
    },
  })
  const linkTo = (code: string) => ({ key: defaultKey(code), originalUrl: server.url(`/${code}`) })
  return { add: (...codes: string[]) => queue.add(caller, codes.map(linkTo)), queue, filled, logged }
}

const openWithPages = () =>
  open(
    new DestinationPages({
      client: clientOf(),
      clock: systemClock,
      readPage: async (page) => readPage(page),
    }),
  )
