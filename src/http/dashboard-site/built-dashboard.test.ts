import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../runtime/log.ts'
import { builtDashboard } from './built-dashboard.ts'

// A small checkout with a build script of its own: what is tested is when it is run and what becomes of its result.

let checkout: string
let errors: unknown[]
let said: string[]

beforeEach(makeCheckout)

afterEach(() => rmSync(checkout, { recursive: true }))

test('many who ask at once have it built once', async () => {
  const built = builtDashboard(log, checkout)
  built.warm()
  const answers = await Promise.all([built.files(), built.files(), built.files()])
  expect(answers.map(([file]) => file?.path)).toEqual(['/dashboard/', '/dashboard/', '/dashboard/'])
  expect(runs()).toBe(1)
})

test('a build is said, and the next start takes it', async () => {
  await builtDashboard(log, checkout).files()
  const saidWhileBuilding = said.splice(0)
  await builtDashboard(log, checkout).files()
  expect([runs(), kept().length]).toEqual([1, 1])
  expect([saidWhileBuilding, said]).toEqual([[BUILDING, 'The dashboard is built.'], []])
})

test('other sources are built again, and the build before goes', async () => {
  await builtDashboard(log, checkout).files()
  const [first] = kept()
  writeFileSync(join(checkout, 'dashboard/main.tsx'), 'b')
  await builtDashboard(log, checkout).files()
  expect(runs()).toBe(2)
  expect(kept()).toEqual([expect.not.stringContaining(first!)])
})

test('a build that fails is said with its reason, and tried again for the next who asks', async () => {
  const script = join(checkout, 'dashboard/build/build-dashboard.ts')
  writeFileSync(script, 'throw new Error("no such part")')
  const built = builtDashboard(log, checkout)
  built.warm()
  await expect(built.files()).rejects.toThrow(/no such part/)
  await Bun.sleep(0)
  expect(errors).toEqual([['Could not build the dashboard.', expect.anything()]])
  writeFileSync(script, SCRIPT)
  expect((await built.files()).length).toBe(1)
})

test('where the checkout cannot be written, it is built for this start and leaves nothing', async () => {
  // A link to nowhere: no folder can be made in its place, even by root.
  symlinkSync('/nonexistent/dist', join(checkout, 'dist'))
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('tern-dashboard-'))
  expect((await builtDashboard(log, checkout).files()).length).toBe(1)
  expect(runs()).toBe(1)
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('tern-dashboard-'))).toEqual(before)
})

test('one executable carries the build inside itself, and asks no checkout', async () => {
  const files = [{ path: '/dashboard/', contentType: 'text/html', identity: '' }]
  await Bun.write(join(checkout, 'dashboard-embedded.json'), JSON.stringify(files))
  await Bun.write(
    join(checkout, 'program.ts'),
    `import './dashboard-embedded.json' with { type: 'file' }
     import { builtDashboard } from '${join(import.meta.dir, 'built-dashboard.ts')}'
     console.log(JSON.stringify(await builtDashboard({}, '/nonexistent').files()))`,
  )
  const compile = ['build', '--compile', '--asset-naming=[name].[ext]', 'program.ts', '--outfile=program']
  expect(await Bun.spawn([process.execPath, ...compile], { cwd: checkout, stdout: 'ignore' }).exited).toBe(0)
  const program = Bun.spawn([join(checkout, 'program')], { stdout: 'pipe' })
  expect(await new Response(program.stdout).json()).toEqual(files)
})

function makeCheckout(): void {
  errors = []
  said = []
  checkout = mkdtempSync(join(tmpdir(), 'tern-built-'))
  mkdirSync(join(checkout, 'dashboard/build'), { recursive: true })
  writeFileSync(join(checkout, 'package.json'), '{}')
  writeFileSync(join(checkout, 'dashboard/build/build-dashboard.ts'), SCRIPT)
  writeFileSync(join(checkout, 'dashboard/main.tsx'), 'a')
}

const BUILDING = 'Building the dashboard. Its pages are served when it is done.'

const log: Log = {
  debug() {},
  info: (message) => void said.push(message),
  warn() {},
  error: (message, fields) => void errors.push([message, fields]),
}

const runs = () => readdirSync(checkout).filter((name) => name.startsWith('run-')).length
const kept = () => readdirSync(join(checkout, 'dist'))
const SCRIPT = `
import { mkdtempSync } from 'node:fs'
mkdtempSync('run-')
await Bun.write(process.argv[2], JSON.stringify([{ path: '/dashboard/', contentType: 'text/html', identity: '' }]))
`
