import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startLinkCommandsRig } from '../../../test/rigs/service/link-commands-rig.ts'
import { runTern } from '../../../test/rigs/program/server-process.ts'
import { done, refused } from '../../../test/rigs/program/tern-command.ts'
import { useRig } from '../../../test/rigs/use-rig.ts'

const rig = useRig(startLinkCommandsRig)

test('each field that the API refuses is a line, and nothing is created', async () => {
  const { total } = (await rig.json('list')).meta
  const words = ['create', 'ftp://example.com/', '--code', 'a b', '--starts-at', 'now', '--max-clicks', 'ten']
  expect(await rig.tern(words)).toEqual(
    refused(
      'The original url must be a valid URL that starts with http:// or https://.',
      'The custom code may only contain letters, numbers, dashes and underscores.',
      'The start must be a time in ISO 8601 with its zone, such as 2026-12-01T09:00:00Z.',
      'The click limit must be a whole number from 1 to 1,000,000,000.',
    ),
  )
  const file = join(rig.folder.settings.DATA_DIR, 'broken.json')
  writeFileSync(file, '[{')
  const { complaints } = await rig.create('broken', '--rules', file)
  expect(complaints).toMatch(new RegExp(`^${file} is not JSON: .+\\.\n$`))
  expect(await rig.create('broken', '--rules', 'nowhere.json')).toEqual(
    refused('nowhere.json cannot be read: there is no such file or folder.'),
  )
  expect((await rig.json('list')).meta.total).toBe(total)
})

test('with --json, what the API refuses is printed as it was sent, with its codes', async () => {
  const missing = await rig.tern(['show', 'never-made', '--json'])
  expect([missing.exitCode, missing.complaints]).toEqual([1, 'Link not found.\n'])
  expect(JSON.parse(missing.output)).toEqual({
    success: false,
    code: 'link_not_found',
    message: 'Link not found.',
    errors: {},
  })
  const short = await rig.json('create', 'https://example.com/', '--code', 'ab')
  expect(short).toMatchObject({ code: 'validation_failed', error_codes: { custom_code: ['code_length'] } })
})

test('the key is read from the environment or a file, and what it may do is up to the API', async () => {
  const list = (settings: Record<string, string>, ...options: string[]) =>
    runTern(['link', 'list', '--search', 'nowhere', ...options], {
      BASE_URL: rig.origin,
      ...settings,
    })
  expect(await list({})).toEqual(
    refused('An API key is needed: set TERN_API_KEY, or name a file that has it with --key-file.'),
  )
  expect(await list({ TERN_API_KEY: 'tern_000000000000000000000' })).toEqual(
    refused('The API key is not valid.'),
  )
  const file = join(rig.folder.settings.DATA_DIR, 'key')
  writeFileSync(file, `${rig.folder.key}\n`)
  expect(await list({}, '--key-file', file)).toEqual(done('There are no such links.'))
  const elsewhere = { BASE_URL: 'http://localhost:1', TERN_API_KEY: rig.folder.key }
  expect(await list(elsewhere, '--server', rig.origin)).toEqual(done('There are no such links.'))
  writeFileSync(file, 'no key')
  expect(await list({}, '--key-file', file)).toEqual(refused(`There is no API key in ${file}.`))
  const once = await rig.folder.makeKey(1)
  await list({ TERN_API_KEY: once })
  const { complaints } = await list({ TERN_API_KEY: once })
  expect(complaints).toMatch(/^You have used all 1 requests of this hour\. Try again in \d+ seconds\.\n$/)
})

test.each([
  ['nobody', undefined, /^http:\S+ does not respond \(ECONNREFUSED\)\. Check BASE_URL or --server\.\n$/],
  [
    'another program',
    () => new Response('Hello'),
    /^http:\S+ does not answer as Tern does \(status 200\)\. Check BASE_URL or --server\.\n$/,
  ],
  [
    'a redirect',
    () => Response.redirect('https://s.example/', 301),
    /^http:\S+ redirects to https:\/\/s\.example\/\. Check BASE_URL or --server\.\n$/,
  ],
  [
    'a server with a fault',
    () =>
      Response.json(
        { success: false, message: 'It failed.', errors: {} },
        { status: 500, headers: { 'X-Request-Id': 'abc' } },
      ),
    /^It failed\. X-Request-Id: abc\n$/,
  ],
])('%s in place of the server is said in a sentence', async (_, answer, sentence) => {
  let asked = 0
  const other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => (asked++, answer?.() ?? new Response()),
  })
  if (answer === undefined) await other.stop(true)
  const settings = { TERN_API_KEY: 'tern_000000000000000000000' }
  const words = ['link', 'create', 'https://example.com/', '--server', `http://127.0.0.1:${other.port}`]
  const { exitCode, output, complaints } = await runTern(words, settings)
  await other.stop(true)
  expect([exitCode, output]).toEqual([1, ''])
  expect(complaints).toMatch(sentence)
  // The key goes to nobody else, and a creation is not repeated.
  expect(asked).toBe(answer === undefined ? 0 : 1)
})
