import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { journalFolder } from '../../../src/clicks/journal/open-journal.ts'
import { claimRecord } from '../../../src/codes/log/code-log-record.ts'
import { codeLogPath } from '../../../src/codes/log/read-code-log.ts'
import type { Check } from '../../../src/doctor/finding.ts'
import { DAY_US } from '../../../src/runtime/clock.ts'
import { clicksFolder, storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { addClickFile } from '../../rigs/clicks/click-file.ts'
import { freePort } from '../../rigs/free-port.ts'
import { hasNoOpenssl, type TlsHosts } from '../../rigs/http/tls-hosts.ts'
import type { Settings } from '../../rigs/program/server-process.ts'
import type { mountSmallDisk } from '../../rigs/program/small-disk.ts'
import { type DomainWorld, OTHER_IP } from '../../rigs/service/domain-world.ts'
import type { Engine } from '../../rigs/store/test-store.ts'
import { lacks } from '../driver/lacks.ts'

/** What an installation needs around it. */
type DoctorWorld = {
  domains: DomainWorld
  hosts: TlsHosts | undefined
  disk: ReturnType<typeof mountSmallDisk>
}

/** What a case changes about an installation in which all is well. */
export type Installation = {
  engine: Engine
  dataDir: string
  settings: Settings
  nowUs: number
  sql(statement: string): Promise<unknown>
  outside: DoctorWorld
}

type Case = {
  spoil(place: Installation): unknown
  finds: RegExp
  /** Otherwise on both. */
  only?: Engine
  isSkipped?: boolean
}

const CLOSED_PORT = freePort()

/** The type demands a case for each check. */
export const DOCTOR_CASES: Record<Check, Case> = {
  address: {
    spoil: ({ settings }) => (settings.BASE_URL = 'http://s.example.com'),
    finds: /without https, keys and links are sent unencrypted/,
  },
  proxies: {
    spoil: ({ settings }) => (settings.TRUSTED_PROXIES = ''),
    finds: /TRUSTED_PROXIES is empty/,
  },
  'country data': {
    spoil: (place) => (place.nowUs += 3 * 365 * DAY_US),
    finds: /days old: update Tern/,
  },
  'data folder': {
    spoil: ({ dataDir }) => writeFileSync(join(dataDir, 'restore.unfinished'), 'replaced/then\n'),
    finds: /^A restore was interrupted. Run tern restore again\.$/,
    only: 'sqlite',
  },
  disk: {
    spoil: (place) => {
      const folder = join(place.outside.disk!.folder, place.engine)
      cpSync(place.dataDir, folder, { recursive: true })
      place.dataDir = folder
    },
    finds: /^\d+ MiB are free: soon visitors will get 503\. Free some space\.$/,
    isSkipped: lacks('what tern doctor says of a full disk', 'small disks'),
  },
  database: {
    spoil({ engine, dataDir, settings }) {
      if (engine === 'sqlite') writeFileSync(storePath(dataDir), Buffer.alloc(4096, 1))
      else settings.DATABASE_URL = `postgres://tern@127.0.0.1:${CLOSED_PORT}/tern`
    },
    finds:
      /^The database cannot be read: .+\. Restore a backup\.$|^PostgreSQL does not respond at the host of DATABASE_URL\.$/,
  },
  schema: {
    spoil: ({ sql }) => sql(`INSERT INTO kysely_migration VALUES ('9999-later', '2099-01-01')`),
    finds: /by a newer Tern \(it has 9999-later\)/,
  },
  nodes: {
    async spoil(place) {
      await addSegment(place, 'one')
      await addSegment(place, 'two')
    },
    finds: /^2 journals of nodes named twin still have uncounted clicks/,
    only: 'postgres',
  },
  clock: {
    spoil: ({ sql }) => sql('UPDATE workspace_totals SET last_clicked_at = last_clicked_at + 3600000000'),
    finds: /^The last click was at .+, which is in the future\.$/,
  },
  visitors: {
    spoil: ({ sql }) => sql(`UPDATE workspace_hours SET clicks = 60, value = '' WHERE dimension = 'country'`),
    finds: /^Of none of the 60 clicks of the last 24 hours is the country known/,
  },
  domains: {
    spoil: (place) => addDomain(place, 'elsewhere.example', OTHER_IP),
    finds: /^elsewhere\.example leads to .+, not to s\.example\.com/,
  },
  certificates: {
    spoil(place) {
      place.settings.BASE_URL = `https://tls.example.com:${place.outside.hosts!.port}`
      return addDomain(place, 'silent.example.com', OTHER_IP)
    },
    finds: /^silent\.example\.com does not answer with TLS\. Visitors cannot open links there\.$/,
    isSkipped: hasNoOpenssl(),
  },
  users: {
    spoil: ({ settings }) => (settings.SMTP_URL = `smtp://127.0.0.1:${CLOSED_PORT}`),
    finds: /^Emails cannot be sent\. Nothing listens at the port of SMTP_URL/,
  },
  'single sign-on': {
    spoil({ settings }) {
      const issuer = `http://127.0.0.1:${CLOSED_PORT}`
      settings.OIDC_PROVIDERS = JSON.stringify([{ id: 'a', name: 'Login', issuer, client_id: 'tern' }])
    },
    finds: /^Login: The provider cannot be reached at .+ \(ECONNREFUSED\)\. Check the issuer/,
  },
  clickhouse: {
    spoil: ({ settings }) => (settings.CLICKHOUSE_URL = `http://127.0.0.1:${CLOSED_PORT}/tern`),
    finds: /^Reports of clicks cannot be answered\. ClickHouse does not answer: /,
    only: 'postgres',
  },
  'click files': {
    spoil: ({ dataDir }) => rmSync(join(clicksFolder(dataDir), addClickFile(dataDir))),
    finds:
      /^2026-04-20-.+\.parquet \(7 rows of clicks, of 2026-04-20\) is missing: reports lack these clicks\./,
    only: 'sqlite',
  },
  journal: {
    spoil: ({ dataDir }) => rmSync(journalFolder(dataDir), { recursive: true }),
    finds:
      /^The journal folder .+\/journal is gone\. Put it back before the next start: clicks that were not counted yet are only there\.$/,
  },
  codes: {
    spoil: ({ dataDir }) =>
      appendFileSync(
        codeLogPath(dataDir),
        claimRecord({ domainId: 0, code: 'lost', workspaceId: 1, linkId: 99 }),
      ),
    finds: /^1 .*acknowledged.* lost, and their codes are not blocked yet: lost\./,
  },
}

function addDomain({ sql, outside }: Installation, host: string, address: string) {
  outside.domains.addresses.set(host, address)
  return sql(`INSERT INTO domains (name, host, is_shared) VALUES ('${host}', '${host}', 1)`)
}

function addSegment({ sql }: Installation, folder: string) {
  return sql(`INSERT INTO journal_segments (segment, node, folder, previous_segment, base_count, position, clicks,
    dead_letters, damaged_bytes) VALUES ('${folder}', 'twin', '${folder}', '', 0, 0, 0, 0, 0)`)
}
