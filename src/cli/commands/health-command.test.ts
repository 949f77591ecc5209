import { afterEach, expect, test } from 'bun:test'
import { freePort } from '../../../test/rigs/free-port.ts'
import { runTern, ServerProcess } from '../../../test/rigs/program/server-process.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'

const folders = temporaryFolders()
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  folders.remove()
})

const settingsOn = (port: number) => ({ DATA_DIR: folders.make(), PORT: String(port), LOG_LEVEL: 'warn' })

test('a server that answers is well, whichever address it listens on', async () => {
  for (const others of [{}, { HOST: '127.0.0.1' }]) {
    const settings = { ...settingsOn(freePort()), ...others }
    const server = await ServerProcess.start(settings)
    closing.push(() => server.kill())
    expect(await runTern(['health'], settings)).toEqual({ exitCode: 0, output: 'ok\n', complaints: '' })
  }
})

/** Something else on the port, which answers so. */
function pretend(answer: () => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  closing.push(() => server.stop(true))
  return settingsOn(server.port!)
}

test('a server that is degraded is not to be restarted', async () => {
  const settings = pretend(() => Response.json({ status: 'degraded', timestamp: '', version: '' }))
  expect(await runTern(['health'], settings)).toEqual({ exitCode: 0, output: 'degraded\n', complaints: '' })
})

test.each([
  ['nobody', () => settingsOn(freePort())],
  ['another program', () => pretend(() => new Response('{"status":"fine"}'))],
  ['a server that fails', () => pretend(() => Response.json({ status: 'ok' }, { status: 503 }))],
  ['a server that never answers', () => pretend(() => new Promise(() => {}))],
])('%s on the port is said in a sentence, with exit code 1', async (_, prepare) => {
  const settings = prepare()
  expect(await runTern(['health'], settings)).toEqual({
    exitCode: 1,
    output: '',
    complaints: `The server on port ${settings.PORT} does not respond.\n`,
  })
})
