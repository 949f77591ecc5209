import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { defaultOpenApi } from './default-openapi.ts'

test('the document is that of the default settings, the same every time', () => {
  const document = JSON.parse(defaultOpenApi())
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.servers).toEqual([expect.objectContaining({ url: 'http://localhost:3000' })])
  expect(Object.keys(document.paths)).toContain('/api/links/{short_code}')
  expect(defaultOpenApi()).toBe(JSON.stringify(document, null, 2))
})

test('it is the same if modules that describe fields were loaded before everything else', async () => {
  const root = join(import.meta.dir, '../../..')
  const described: string[] = []
  for (const path of new Bun.Glob('src/**/*.ts').scanSync(root)) {
    const text = await Bun.file(join(root, path)).text()
    if (!path.endsWith('.test.ts') && text.includes("from 'zod'")) described.push(join(root, path))
  }
  expect(described.length).toBeGreaterThan(10)
  const script = `
    for (const path of ${JSON.stringify(described)}) await import(path)
    const { defaultOpenApi } = await import(${JSON.stringify(join(import.meta.dir, 'default-openapi.ts'))})
    process.stdout.write(defaultOpenApi())
  `
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'pipe' })
  const [text, complaints] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect(complaints).toBe('')
  expect(text).toBe(defaultOpenApi())
})
