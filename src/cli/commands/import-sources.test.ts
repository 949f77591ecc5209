import { expect, test } from 'bun:test'
import { fixture } from '../../../test/rigs/import-fixtures.ts'
import { PROGRAMS } from '../../../test/rigs/import/all-truths.ts'
import { runTern } from '../../../test/rigs/program/server-process.ts'
import { startLinkCommandsRig } from '../../../test/rigs/service/link-commands-rig.ts'
import { useRig } from '../../../test/rigs/use-rig.ts'

const rig = useRig(() => startLinkCommandsRig(PROGRAMS.map(({ source }) => `${source}.example`)))

test.each(PROGRAMS)('$source: links are created, and equal in a second run', async (program) => {
  const { source, truths, imported } = program
  const { files: paths, options } = truths[0]!
  const zone = options?.timeZone === undefined ? [] : ['--time-zone', options.timeZone]
  const words = [source, ...zone, '--json', '--domain', `${source}.example`]
  const files = paths.flatMap((file) => ['--file', fixture(file)])
  const tern = () =>
    runTern(['import', ...words, ...files], { BASE_URL: rig.origin, TERN_API_KEY: rig.folder.key })
  const { created, refused, link } = imported

  const first = reportIn(await tern())
  expect(refusedIn(first.links)).toEqual(refused)
  expect(first.counts).toMatchObject({ created, refused: first.links.length - created })

  expect(await show(link.short_code, `${source}.example`)).toMatchObject(link)

  const again = reportIn(await tern())
  expect(refusedIn(again.links)).toEqual(refused)
  expect(again.counts).toMatchObject({ created: 0, equal: created, refused: first.links.length - created })
})

type Reported = { code: string; at: string; result: string; errors: Record<string, string[]> }

function reportIn({ output, complaints }: { output: string; complaints: string }) {
  expect(complaints).toBe('')
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { links: lines.slice(0, -1) as Reported[], counts: lines.at(-1) }
}

const refusedIn = (links: readonly Reported[]): Record<string, string[]> =>
  Object.fromEntries(
    links
      .filter(({ result }) => result === 'refused')
      .map(({ at, code, errors }) => [code || at, Object.values(errors).flat()]),
  )

const show = async (code: string, domain: string) => (await rig.json('show', code, '--domain', domain)).data
