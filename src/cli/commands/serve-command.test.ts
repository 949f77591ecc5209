import { afterEach, expect, test } from 'bun:test'
import { KeepAliveClient } from '../../../test/rigs/http/keep-alive-client.ts'
import {
  runTern,
  ServerProcess,
  type Settings,
  type Surroundings,
} from '../../../test/rigs/program/server-process.ts'
import { freePort } from '../../../test/rigs/free-port.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'

const EMAIL = 'ann@example.com'

const folders = temporaryFolders()
let server: ServerProcess | undefined
afterEach(async () => {
  await server?.kill()
  folders.remove()
})

test('commands work while the server runs, and take effect with the next request', async () => {
  const { tern, usage } = await serve()
  await tern('account', 'create', EMAIL, '--name', 'Ann', '--password', 'correct horse battery')
  const { id, key } = JSON.parse(await tern('key', 'create', EMAIL, '--name', 'Key', '--json'))
  expect((await usage(key)).status).toBe(403)
  await tern('account', 'verify', EMAIL)
  expect(await usage(key)).toEqual({ status: 200, limit: '100' })
  await tern('account', 'plan', EMAIL, 'business')
  expect(await usage(key)).toEqual({ status: 200, limit: '10000' })
  const other = await tern('key', 'create', EMAIL, '--name', 'Other', '--rate-limit', '7')
  expect(await usage(other)).toEqual({ status: 200, limit: '7' })
  await tern('key', 'revoke', String(id))
  expect((await usage(key)).status).toBe(401)
  expect((await usage(other)).status).toBe(200)
})

test('an empty instance says how to make the first account and key, and once there is one it does not', async () => {
  const { settings, server: first, tern } = await serve({ program: 'from source' })
  const { output } = await first.stop()
  expect(output).toContain(`Tern is listening on http://localhost:${settings.PORT} (port ${settings.PORT})`)
  const steps = output.match(/npm run --silent tern -- .*/g)!
  expect(steps).toHaveLength(2)
  for (const step of steps) await tern(...wordsOf(step.replace('npm run --silent tern -- ', '')))
  const next = await ServerProcess.start(settings, { program: 'from source' })
  server = next
  expect((await next.stop()).output).not.toContain('npm run')
})

/** As a shell takes the line apart. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)

/** A server on an empty folder, and the command line beside it. */
async function serve(surroundings?: Surroundings) {
  const port = freePort()
  const settings: Settings = {
    DATA_DIR: folders.make(),
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
  }
  server = await ServerProcess.start(settings, surroundings)
  const tern = async (...words: string[]) => {
    const { exitCode, output, complaints } = await runTern(words, settings)
    expect([exitCode, complaints]).toEqual([0, ''])
    return output.trim()
  }
  const usage = async (key: string) => {
    const client = new KeepAliveClient(port)
    const answer = await client.request({
      method: 'GET',
      path: '/api/account/usage',
      headers: { 'X-API-Key': key },
    })
    client.close()
    if (typeof answer === 'string') throw new Error(answer)
    return { status: answer.status, limit: answer.headers['x-ratelimit-limit'] }
  }
  return { settings, server, tern, usage }
}
