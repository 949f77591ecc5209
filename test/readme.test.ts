import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { settingsMarkdown } from './rigs/service/settings-markdown.ts'
import { useServiceRig } from './rigs/service/service-rig.ts'

const ROOT = dirname(import.meta.dir)
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const MARK = '--- next block ---'

const rig = useServiceRig()

describe('the README', () => {
  test('shows in its tour what the program prints, word for word', async () => {
    const { key } = await rig.makeCaller()
    // The link that is made under Start.
    await rig.call('POST', '/api/links', { key, body: { original_url: 'https://example.com/a/long/url' } })
    const steps = tour(rig.config.port, key)
    expect(steps.length).toBeGreaterThan(7)
    const script = steps.map(({ command }) => `${command}\necho; echo '${MARK}'`).join('\n')
    const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: rig.config.dataDir, PORT: String(rig.config.port) },
      stderr: 'pipe',
    })
    const [output, errors] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
    ])
    expect([errors, await shell.exited]).toEqual(['', 0])
    const answers = output.split(MARK)
    steps.forEach(({ shown }, i) => {
      if (shown !== undefined) expect(withoutChance(answers[i]!)).toBe(withoutChance(shown))
    })
  })

  test('refers to the operations page, which lists every setting of the program', () => {
    expect(README).toContain('docs/operations.md#settings')
    expect(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')).toContain(settingsMarkdown().trim())
  })
})

type Step = { command: string; shown: string | undefined }

/** The commands of the tour, each with the answer that is printed below it. */
function tour(port: number, key: string): Step[] {
  const section = README.slice(README.indexOf('## A tour'), README.indexOf('## Run it'))
  const steps: Step[] = []
  for (const [, language, text] of section.matchAll(/```(\w+)\n(.*?)```/gs)) {
    const block = text!
      .replaceAll('localhost:3000', `localhost:${port}`)
      .replace('KEY=tern_...', `KEY=${key}`)
    if (language === 'sh')
      steps.push({ command: block.replace('-o launch.png', '-o /dev/null'), shown: undefined })
    else steps.at(-1)!.shown = block
  }
  return steps
}

/** IDs and times differ each time; everything else must be as shown. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/svc_[0-9a-f-]{36}/g, 'svc_…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, 'a time')
    .trim()
