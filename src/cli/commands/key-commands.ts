import { accountByEmail } from '../../users/find-account.ts'
import { limitOrNull, UNLIMITED } from '../../workspaces/plans.ts'
import { listKeys, revokeKey } from '../../api-keys/find-key.ts'
import { issueKey } from '../../api-keys/issue-key.ts'
import { SCOPES } from '../../access/roles-and-scopes.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import type { KeyRestrictions } from '../../access/key-restrictions.ts'
import type { Call, Command } from '../command.ts'
import { textTable } from '../text-table.ts'
import { wholeNumber } from '../whole-number.ts'

/** For keys that are published. */
const RESTRICTIONS = {
  domain: { type: 'string', value: 'host', meaning: 'Create links on this domain only.' },
  prefix: { type: 'string', value: 'text', meaning: 'Create codes that begin with it only.' },
  'destination-host': {
    type: 'string',
    multiple: true,
    value: 'host',
    meaning: 'Create links to this host and its subdomains only.',
  },
  'links-per-day': {
    type: 'string',
    value: 'number',
    meaning: 'Create at most this many links a day (UTC).',
  },
  origin: {
    type: 'string',
    multiple: true,
    value: 'origin',
    meaning: 'Let browsers use the key on pages of this origin only.',
  },
} as const

function restrictionsOf(call: Call): KeyRestrictions {
  const list = (name: string) => (call.texts(name).length === 0 ? undefined : call.texts(name))
  const linksPerDay = call.text('links-per-day')
  return {
    domain: call.text('domain'),
    code_prefix: call.text('prefix'),
    destination_hosts: list('destination-host'),
    links_per_day: linksPerDay === undefined ? undefined : wholeNumber(linksPerDay, 'number of links'),
    origins: list('origin'),
  }
}

/** Instead of a number, for --rate-limit. */
const NO_LIMIT = 'none'

function rateLimitOf(call: Call): number | undefined {
  const limit = call.text('rate-limit')
  if (limit === undefined) return undefined
  return limit === NO_LIMIT ? UNLIMITED : wholeNumber(limit, 'rate limit')
}

export const keyCommands: Command[] = [
  {
    name: 'key create',
    words: ['<email>'],
    summary: 'Create an API key. It is shown once.',
    options: {
      name: { type: 'string', value: 'text', meaning: 'What the key is for.' },
      scope: {
        type: 'string',
        multiple: true,
        value: 'scope',
        meaning: `${SCOPES.join(', ')}; default: all.`,
      },
      'rate-limit': {
        type: 'string',
        value: 'number',
        meaning: `Requests per hour, or ${NO_LIMIT}; default: 100, unless the workspace has another limit.`,
      },
      ...RESTRICTIONS,
      json: { type: 'boolean', meaning: 'Print {"id":…,"key":"…"}.' },
    },
    async run(call, { readConfig, withStore, clock, print }) {
      const { baseUrl } = readConfig()
      const issued = await withStore(async (db) =>
        issueKey({ db, clock, baseUrl }, await accountByEmail(db, call.words[0]!), {
          name: call.text('name') ?? '',
          scopes: call.texts('scope'),
          rateLimit: rateLimitOf(call),
          restrictions: restrictionsOf(call),
        }),
      )
      try {
        print(call.isSet('json') ? JSON.stringify(issued) : issued.key)
      } catch (error) {
        // Nobody has seen it.
        await withStore((db) => revokeKey({ db, clock }, issued.id))
        throw error
      }
    },
  },
  {
    name: 'key list',
    words: ['<email>'],
    summary: "List an account's keys.",
    options: { json: { type: 'boolean', meaning: 'Print JSON.' } },
    async run(call, { readStore, clock, print }) {
      const keys = await readStore(async (db) => {
        const { workspaceId } = await accountByEmail(db, call.words[0]!)
        return listKeys({ db, clock }, workspaceId)
      })
      const rows = keys.map((key) => ({
        id: key.id,
        name: key.name,
        key_hint: key.hint,
        active: key.revokedAtUs === null,
        scopes: key.scopes,
        rate_limit: limitOrNull(key.rateLimit),
        used_this_hour: key.currentUsage,
        last_used_at: key.lastUsedAtUs === null ? null : isoMicroseconds(key.lastUsedAtUs),
      }))
      if (call.isSet('json')) return print(JSON.stringify(rows))
      if (rows.length === 0) return print('There are no keys yet. Create one with tern key create.')
      const cells = rows.map((row) => [
        String(row.id),
        row.name,
        row.key_hint ?? '',
        row.active ? 'active' : 'revoked',
        row.scopes.join(' '),
        `${row.used_this_hour}/${row.rate_limit ?? 'no limit'}`,
        row.last_used_at?.slice(0, 19).concat('Z') ?? 'never',
      ])
      print(textTable(['id', 'name', 'key', 'state', 'scopes', 'used this hour', 'last used'], cells))
    },
  },
  {
    name: 'key revoke',
    words: ['<id>'],
    summary: 'Revoke a key. Its next request is refused.',
    async run(call, { withStore, clock, print }) {
      const id = wholeNumber(call.words[0]!, 'id')
      await withStore((db) => revokeKey({ db, clock }, id))
      print(`Key ${id} is revoked.`)
    },
  },
]
