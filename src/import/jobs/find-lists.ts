import { z } from 'zod'
import { invalid, Refusal } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import { PageClient, type PageLimits } from '../network/page-client.ts'
import { serverClient, type ServerClientSettings } from '../network/server-client.ts'
import { hasNames, type SourceList, sourceLists } from '../network/source-lists.ts'
import { SOURCES } from '../sources/all-sources.ts'
import { apiUrlOf, newJob } from './begin-job.ts'
import { jobSentence } from './job-sentence.ts'

/** A user waits for the answer, and it is parsed on the API thread. */
const LIMITS: PageLimits = { attempts: 1, bytes: 256 * 1024 }
const TIMEOUT_MS = 10_000
const LISTS_MAX = 200

export const listedSource = z.object({
  source: newJob.shape.source,
  url: newJob.shape.url,
  key: newJob.shape.key,
})

type FindDeps = { client: ServerClientSettings; clock: Clock }

/** The groups, domains or workspaces that a key has at a source; none where all links are one list. */
export async function findLists(
  { client, clock }: FindDeps,
  { source, url, key }: z.output<typeof listedSource>,
): Promise<SourceList[]> {
  const program = SOURCES[source]!
  const place = apiUrlOf(program, { url, key })
  if (place === null || key == null) throw invalid({ key: ['The key field is required.'] })
  const { title, api } = program.network!
  if (!hasNames(api.lists)) return []
  const deps = { client: serverClient(client, TIMEOUT_MS), clock, wait: Bun.sleep, say() {} }
  const pages = new PageClient(deps, { title, url: place, ...api.credentials(key) }, LIMITS)
  const lists: SourceList[] = []
  try {
    for await (const list of sourceLists(pages, api.lists)) if (lists.push(list) === LISTS_MAX) break
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw invalid({ key: [jobSentence(error.message)] })
  }
  return lists
}
