import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { lockFolder } from '../../../src/store/files/folder-lock.ts'
import { readSegments } from '../../rigs/clicks/journal-rig.ts'
import { KeepAliveClient } from '../../rigs/http/keep-alive-client.ts'
import { API_BUG, BACKGROUND_BUG, BUG_AT_START, REPORT_BUG } from '../../rigs/program/broken-threads.data.ts'
import { Tern } from '../driver/tern.ts'

test('when the background thread dies, the program exits with every click safe', async () => {
  await using tern = await new Tern({ changes: [BACKGROUND_BUG] }).prepare()
  await tern.start()
  await tern.makeLinks('code')
  expect((await tern.api('GET', '/code')).status).toBe(302)
  await expectOrderlyEndByBug(tern)
  await tern.serveWith()
  await tern.counted({ code: 1 })
})

test('when a thread cannot start, the program exits at once and releases the folder', async () => {
  await using tern = await new Tern({ changes: [BUG_AT_START] }).prepare()
  await tern.start().catch(() => {})
  const { exitCode, complaints } = await tern.nodes[0]!.server!.ended
  expect(exitCode).toBe(EXIT_BUG)
  expect(complaints).toContain('The background thread failed')
  lockFolder(tern.dataDir).release()
})

test.each([
  ['API', API_BUG, '/api/bug'],
  ['report', REPORT_BUG, '/api/health'],
])(
  'when the %s thread dies, its callers get a response, and the program exits with every click safe',
  async (_, bug, path) => {
    await using tern = await new Tern({ changes: [bug] }).prepare()
    await tern.start()
    await tern.makeLinks('code')
    for (let click = 0; click < 3; click++) expect((await tern.api('GET', '/code')).status).toBe(302)
    const client = new KeepAliveClient(tern.operator.port)
    const answer = await client.request({ method: 'GET', path })
    client.close()
    // The thread may still send its own response.
    if (typeof answer === 'string' || ![200, 401].includes(answer.status)) {
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5', 'content-type': 'application/json; charset=utf-8' },
        body: '{"success":false,"code":"api_unavailable","message":"The server is restarting. Try again in a few seconds.","errors":{}}',
      })
    }
    await expectOrderlyEndByBug(tern)
    await tern.serveWith()
    await tern.counted({ code: 3 })
  },
)

const EXIT_BUG = 70

async function expectOrderlyEndByBug(tern: Tern): Promise<void> {
  const { exitCode, complaints, output } = await tern.nodes[0]!.server!.ended
  expect(exitCode).toBe(EXIT_BUG)
  expect(complaints).toContain('thread failed')
  expect(complaints).toContain('Ours.')
  expect(output).toContain('A thread failed; the server is stopping.')
  for (const { clicks, sealedClicks } of readSegments(join(tern.dataDir, 'journal')))
    expect(sealedClicks).toBe(clicks.length)
}
