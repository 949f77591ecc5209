import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import openapiTS, { astToString } from 'openapi-typescript'
import { useFolders } from '../rigs/use-rig.ts'
import { DOCUMENT } from '../specification/contract-rig.ts'

// The document as other tools see it. Of Spectral only the core and its rules are installed: its command line
// brings a hundred packages more. Redocly's command line is a single package.

const ROOT = join(import.meta.dir, '../..')
const FILE = join(ROOT, 'docs/openapi.json')
const folders = useFolders()

test('Redocly reports nothing', async () => {
  const skipped = Object.keys(REDOCLY_SKIPPED).map((rule) => `--skip-rule=${rule}`)
  const command = [
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    FILE,
    '--extends=recommended',
    '--format=json',
  ]
  const { exitCode, output, complaints } = await run([...command, ...skipped])
  const { totals, problems } = JSON.parse(output.slice(output.indexOf('{')))
  expect({ problems, totals }).toMatchObject({ problems: [], totals: { errors: 0, warnings: 0 } })
  expect([exitCode, complaints]).toEqual([0, expect.stringContaining('valid')])
})

test('Spectral reports nothing', async () => {
  const spectral = new Spectral()
  const rules = Object.fromEntries(Object.keys(SPECTRAL_SKIPPED).map((rule) => [rule, 'off' as const]))
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']], rules } as RulesetDefinition)
  expect(await spectral.run(DOCUMENT)).toEqual([])
  // It would find something. One path, because it takes seconds for all of them.
  const paths = { '/api/links': DOCUMENT.paths['/api/links'] }
  const found = await spectral.run({ ...DOCUMENT, paths, tags: [] })
  expect(found.map(({ code }) => code)).toContain('operation-tag-defined')
})

const CLIENT = `import type { components, paths } from './tern-api.ts'

type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Q } } } ? Q : never

export const lists: Query<'/api/links'>[] = [{}, { search: 'launch' }, { page: 2, per_page: 500 }]
export const series: Query<'/api/analytics/clicks'>[] = [{ period: '7d' }, { from: '2026-04-01', to: '2026-04-30' }]
// @ts-expect-error There is no such period.
export const bad: Query<'/api/analytics/clicks'> = { period: 'never' }

export const links: components['schemas']['NewLink'][] = [
  { original_url: 'https://example.com/' },
  { original_url: 'https://example.com/', title: null, custom_code: 'launch', is_active: null },
]
// @ts-expect-error A link needs a destination.
export const without: components['schemas']['NewLink'] = { title: 'Launch' }

type Created = paths['/api/links']['post']['responses'][201]
export async function create(link: components['schemas']['NewLink'], key: string): Promise<string> {
  const answer = await fetch('http://localhost:3000/api/links', {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(link),
  })
  const { data } = (await answer.json()) as Created['content']['application/json']
  // @ts-expect-error It is called short_url.
  void data.url
  return data.short_url
}
export const replayed = (headers: Created['headers']): string | undefined => headers['Idempotent-Replayed']
export const hint = (key: components['schemas']['ApiKey']): string | null => key.key_hint
`

test('a program with a generated client type-checks, and its mistakes are found', async () => {
  const folder = folders.make()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'tern-api.ts'), astToString(await openapiTS(DOCUMENT)))
  writeFileSync(join(folder, 'client.ts'), CLIENT)
  const compilerOptions = { strict: true, noEmit: true, types: [], allowImportingTsExtensions: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { exitCode, output, complaints } = await run(['check', '--no-script', '-p', folder])
  expect([exitCode, output + complaints]).toEqual([0, expect.stringContaining('No type errors in')])
})

async function run(words: string[]): Promise<{ exitCode: number; output: string; complaints: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const child = Bun.spawn([process.execPath, ...words], { cwd: ROOT, env, stdout: 'pipe', stderr: 'pipe' })
  const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { exitCode: await child.exited, output, complaints }
}

/** Redocly's rules that do not apply, and why. */
const REDOCLY_SKIPPED: Record<string, string> = {
  'no-server-example.com':
    'The committed document is that of the default BASE_URL; a service inserts its own.',
  'operation-2xx-response': 'The form of a password is answered with a redirect.',
}

/** The same for Spectral's. */
const SPECTRAL_SKIPPED: Record<string, string> = {
  'info-contact': 'Every instance has its own operator; /.well-known/security.txt says how to reach them.',
  'oas3-operation-security-defined':
    'OpenAPI 3.1 lets every kind of scheme list the roles that are required; the rule knows only those of OAuth.',
}
