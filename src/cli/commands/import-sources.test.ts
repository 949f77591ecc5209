import { expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../../../test/rigs/http/raw-http.ts'
import type { SourceLink } from '../../import/source.ts'
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

  const codes = new Set(first.links.filter(({ result }) => result === 'created').map(({ code }) => code))
  const linksOfCodes = Map.groupBy(truths[0]!.links, (each) => each.code!)
  for (const code of codes) {
    const { has_password: isProtected, rules } = await linkAt(code, `${source}.example`)
    // Two domains of the program have become one.
    const ofLinks = linksOfCodes.get(code)!.map(whatVisitorsGet)
    // A split draws one of its destinations.
    const drawn = (rules ?? []).flatMap(({ split = [] }) => split.map(({ to }) => to))
    const possible = isProtected ? ['403'] : [...ofLinks, ...drawn]
    const met = await visit(`${source}.example`, code)
    expect([code, met, possible.includes(met)]).toEqual([code, met, true])
  }

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

const visit = async (host: string, code: string): Promise<string> => {
  const request = rawRequest('GET', `/${code.split('/').map(encodeURIComponent).join('/')}`)
  const { status, headers } = await sendRaw(
    `http://127.0.0.1:${rig.folder.port}`,
    request.replace('Host: localhost', `Host: ${host}`),
  )
  return headers.location ?? String(status)
}

/** What it says or, of links that do not lead on, the status. */
function whatVisitorsGet(link: SourceLink): string {
  if (link.isDisabled) return '404'
  if (link.expiresAt && Date.parse(link.expiresAt) <= Date.now()) return link.fallbackUrl ?? '410'
  if (link.startsAt && Date.parse(link.startsAt) > Date.now()) return '404'
  return new URL(link.destination!).href
}

type ImportedLink = { has_password: boolean; rules: { split?: { to: string }[] }[] | null }

async function linkAt(code: string, domain: string): Promise<ImportedLink> {
  const url = `http://127.0.0.1:${rig.folder.port}/api/links/${encodeURIComponent(code)}?domain=${domain}`
  const answer = await fetch(url, { headers: { 'X-API-Key': rig.folder.key } })
  return ((await answer.json()) as { data: ImportedLink }).data
}

const show = async (code: string, domain: string) => (await rig.json('show', code, '--domain', domain)).data
