import { COMMAND_LINE, operatorIn } from '../../access/caller.ts'
import type { Config } from '../../config/config.ts'
import { WorkspacePlaces } from '../../limits/workspace-places.ts'
import { browseDomains, domainsOfHost, type ListedDomain } from '../../domains/browse-domains.ts'
import type { DomainChecks, Findings } from '../../domains/domain-checks.ts'
import { readDomainHost } from '../../domains/domain-host.ts'
import { findDomain, noSuchDomain } from '../../domains/find-domains.ts'
import { openDomainChecks } from '../../domains/open-domain-checks.ts'
import { removeDomain } from '../../domains/remove-domain.ts'
import { addSharedDomain, removeSharedDomain } from '../../domains/shared-domains.ts'
import { type VerifyDeps, verifyDomain } from '../../domains/verify-domain.ts'
import { Refusal } from '../../errors/refusal.ts'
import { openMailQueue } from '../../mail/open-mail-queue.ts'
import { newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import { workspaceByIdOrName } from '../../operator/manage-workspaces.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { jsonLog } from '../../runtime/log.ts'
import type { DurableDb } from '../../store/handles.ts'
import { ANNOUNCED_BY_STORE, type Call, type Command, type CommandDeps } from '../command.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'

const DOMAINS_PER_PAGE = 100
const HOST = ['<host>']
const JSON_OPTION = { json: { type: 'boolean', meaning: 'Print JSON.' } } as const
const WORKSPACE_OPTION = {
  workspace: {
    type: 'string',
    value: 'id or name',
    meaning: 'Whose domain is meant, where several workspaces have added it.',
  },
} as const

type OpenChecks = (config: Config) => Pick<DomainChecks, 'check'>

/** `openChecks`: what looks at a domain and its records. */
export const domainCommandsWith = (openChecks: OpenChecks): Command[] => [
  listCommand,
  addCommand,
  verifyCommand(openChecks),
  removeCommand,
]

const listCommand: Command = {
  name: 'domain list',
  summary: 'List the domains of all workspaces and the shared ones, newest first.',
  options: {
    search: {
      type: 'string',
      value: 'text',
      meaning: "Only those with this in their host or workspace's name.",
    },
    page: { type: 'string', value: 'number', meaning: `A page has ${DOMAINS_PER_PAGE} domains; default: 1.` },
    ...JSON_OPTION,
  },
  async run(call, { readStore, print }) {
    const page = wholeNumber(call.text('page') ?? '1', 'page', 1)
    const query = { page, perPage: DOMAINS_PER_PAGE, search: call.text('search') ?? '' }
    const { domains, total } = await readStore((db) => browseDomains(db, query))
    if (call.isSet('json')) return print(JSON.stringify(domains.map(domainJson)))
    if (total === 0) return print('There are no such domains besides that of BASE_URL.')
    print(textTable(COLUMNS, domains.map(cellsOf)))
    const pages = Math.ceil(total / DOMAINS_PER_PAGE)
    if (pages > 1) print(`Page ${page} of ${pages}. Choose another one with --page.`)
  },
}

const addCommand: Command = {
  name: 'domain add',
  words: HOST,
  summary: 'Add a domain that every workspace can use. It is served at once, without a TXT record.',
  async run(call, { withNewStore, readConfig, clock, print }) {
    const host = readDomainHost(readConfig(), call.words[0]!)
    await withNewStore((db) =>
      addSharedDomain({ db, readDb: db, clock, redirectState: ANNOUNCED_BY_STORE }, COMMAND_LINE, host),
    )
    print(`Every workspace can use ${host} now. Its DNS records must point to this server.`)
  },
}

const removeCommand: Command = {
  name: 'domain remove',
  words: HOST,
  summary:
    'Stop serving a domain, shared or of a workspace. The links and codes of one that was verified are kept.',
  options: WORKSPACE_OPTION,
  async run(call, { withStore, clock, print }) {
    const domain = await withStore(async (db) => {
      const deps = { db, readDb: db, clock, redirectState: ANNOUNCED_BY_STORE }
      const domain = await domainMeant(db, call)
      if (domain.workspace === null) await removeSharedDomain(deps, COMMAND_LINE, domain.host)
      else await removeDomain(deps, operatorIn(domain.workspace.id, COMMAND_LINE), domain.host)
      return domain
    })
    print(`${domain.host} is removed.${whatIsKept(domain)}`)
  },
}

function whatIsKept({ workspace, verifiedAtUs }: ListedDomain): string {
  if (workspace === null) return ' Its links and codes are kept, and come back when it is added again.'
  // Without ever having been verified, it had none.
  if (verifiedAtUs === null) return ''
  return ' Its links and codes are kept, and come back when the workspace adds and verifies it again.'
}

const verifyCommand = (openChecks: OpenChecks): Command => ({
  name: 'domain verify',
  words: HOST,
  summary: 'Check the TXT record and the file of a workspace’s domain now, and serve it if they are right.',
  options: WORKSPACE_OPTION,
  async run(call, deps) {
    const { print } = deps
    const { host, findings } = await deps.withStore(async (db) => {
      const domain = await domainMeant(db, call)
      return { host: domain.host, findings: await verify({ ...deps, db, openChecks }, domain) }
    })
    const { ownership, pointing } = findings
    if (ownership !== undefined)
      throw new Refusal('command_failed', `The check of ${host} has failed. ${ownership}`)
    print(`${host} is verified.${pointing === undefined ? '' : ` ${pointing}`}`)
  },
})

type Verifying = Pick<CommandDeps, 'readConfig' | 'clock' | 'print'> & {
  db: DurableDb
  openChecks: OpenChecks
}

async function verify(
  { db, clock, readConfig, print, openChecks }: Verifying,
  { host, workspace }: ListedDomain,
): Promise<Findings> {
  if (workspace === null)
    throw new Refusal('command_failed', `${host} is a shared domain, which needs no verification.`)
  const config = readConfig()
  const metrics = openMetrics(newSharedMetrics())
  const mails = openMailQueue({ log: jsonLog(config.logLevel, 'cli'), clock, metrics, print }, config)
  const deps: VerifyDeps = {
    db,
    clock,
    mails,
    redirectState: ANNOUNCED_BY_STORE,
    baseUrl: config.baseUrl,
    domainChecks: openChecks(config),
    domainCheckPlaces: new WorkspacePlaces(
      { running: 1, runningOfOne: 1, waiting: 1, waitingOfOne: 1 },
      'Too many domains are being checked.',
    ),
  }
  const caller = operatorIn(workspace.id, COMMAND_LINE)
  const findings = await verifyDomain(deps, caller, await findDomain({ db }, caller, host))
  await mails.settle()
  return findings
}

/** By its host and, where several workspaces have added it, the option `--workspace`. */
async function domainMeant(db: DurableDb, call: Call): Promise<ListedDomain> {
  const workspaceName = call.text('workspace')
  const workspace = workspaceName === undefined ? undefined : await workspaceByIdOrName(db, workspaceName)
  const domains = await domainsOfHost(db, call.words[0]!.toLowerCase())
  const meant = domains.filter((domain) => workspace === undefined || domain.workspace?.id === workspace.id)
  const [domain, ...others] = meant
  if (domain === undefined) throw noSuchDomain()
  if (others.length === 0) return domain
  const owners = meant.map((each) => ownerOf(each)).join(', ')
  throw new Refusal(
    'command_failed',
    `Several have added ${domain.host}: ${owners}. Name one with --workspace.`,
  )
}

const ownerOf = ({ workspace }: ListedDomain): string =>
  workspace === null ? 'all' : `${workspace.id} (${workspace.name})`

const COLUMNS = ['host', 'workspace', 'status', 'checked', 'created']

const cellsOf = (domain: ListedDomain): string[] => [
  domain.host,
  ownerOf(domain),
  domain.status,
  domain.checkedAtUs === null ? '' : isoMicroseconds(domain.checkedAtUs).slice(0, 19) + 'Z',
  isoMicroseconds(domain.createdAtUs).slice(0, 19) + 'Z',
]

const domainJson = (domain: ListedDomain) => ({
  host: domain.host,
  workspace_id: domain.workspace?.id ?? null,
  workspace: domain.workspace?.name ?? null,
  status: domain.status,
  failure: domain.failure,
  verified_at: isoOrNull(domain.verifiedAtUs),
  checked_at: isoOrNull(domain.checkedAtUs),
  failing_since: isoOrNull(domain.failingSinceUs),
  created_at: isoMicroseconds(domain.createdAtUs),
})

export const domainCommands = domainCommandsWith((config) => openDomainChecks({ config, reachableIps: [] }))
