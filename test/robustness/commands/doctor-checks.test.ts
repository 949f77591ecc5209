import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../../src/config/config.ts'
import { examine } from '../../../src/doctor/examine.ts'
import type { Finding } from '../../../src/doctor/finding.ts'
import { manualClock, systemClock } from '../../../src/runtime/clock.ts'
import { storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { hasNoOpenssl, startTlsHosts, type TlsHosts } from '../../rigs/http/tls-hosts.ts'
import { type MailServer, startMailServer } from '../../rigs/outside/mail-server.ts'
import type { Settings } from '../../rigs/program/server-process.ts'
import { mountSmallDisk } from '../../rigs/program/small-disk.ts'
import { type DomainWorld, OTHER_IP, OWN_IP, startDomainWorld } from '../../rigs/service/domain-world.ts'
import { enginesToTest } from '../../rigs/store/test-store.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'
import { useTern } from '../driver/tern.ts'
import { DOCTOR_CASES, type Installation } from './doctor-cases.ts'

const folders = temporaryFolders()
const disk = mountSmallDisk(32)
let mails: MailServer
let world: DomainWorld
let hosts: TlsHosts | undefined

beforeAll(startWorld)
afterAll(stopWorld)

describe.each(enginesToTest('every check of tern doctor'))('on %s, tern doctor', (engine) => {
  // As in production, where a server that may lose commits is a finding.
  const tern = useTern(engine === 'postgres' ? { postgres: { settings: {} } } : {})
  beforeAll(makeInstallation)

  test('finds nothing where all is well', async () => {
    expect(await problems(await copied())).toEqual([])
  })

  for (const [check, { spoil, finds, only = engine, isSkipped = false }] of Object.entries(DOCTOR_CASES)) {
    if (only !== engine) continue
    test.skipIf(isSkipped)(`names what is wrong in its check "${check}"`, async () => {
      const place = await copied()
      await spoil(place)
      const found = await problems(place)
      expect(found.filter((each) => each.check === check).map(({ message }) => message)).toEqual([
        expect.stringMatching(finds),
      ])
    })
  }

  async function makeInstallation(): Promise<void> {
    await tern.makeLinks('code')
    expect((await tern.api('GET', '/code')).status).toBe(302)
    await tern.stopAll()
  }

  async function copied(): Promise<Installation> {
    const dataDir = join(folders.make(), 'data')
    cpSync(tern.dataDir, dataDir, { recursive: true })
    const url =
      engine === 'postgres' ? await tern.database.server.makeDatabase(tern.database.name) : undefined
    const settings: Settings = {
      BASE_URL: 'https://s.example.com',
      TRUSTED_PROXIES: 'loopback',
      SMTP_URL: mails.url,
      MAIL_FROM: 'links@s.example.com',
      FETCH_DESTINATIONS: '1',
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    }
    const sql = async (statement: string) => {
      if (url !== undefined) return tern.database.server.run(statement, new URL(url).pathname.slice(1))
      using database = new Database(storePath(dataDir))
      return database.run(statement)
    }
    const outside = { domains: world, hosts, disk }
    return { engine, dataDir, settings, nowUs: systemClock.nowUs(), sql, outside }
  }

  async function problems({ dataDir, settings, nowUs }: Installation): Promise<Finding[]> {
    const config = readConfig({ ...settings, DATA_DIR: dataDir })
    const reached = { ...world.options, authorities: hosts === undefined ? undefined : [hosts.authority] }
    const found = await examine({ clock: manualClock(nowUs), config, reached })
    return found.filter(({ severity }) => severity !== 'ok')
  }
})

async function startWorld(): Promise<void> {
  mails = await startMailServer()
  world = await startDomainWorld()
  world.addresses.set('s.example.com', OWN_IP)
  world.addresses.set('tls.example.com', OTHER_IP)
  if (!hasNoOpenssl()) hosts = await startTlsHosts(folders.make())
  hosts?.certify('tls.example.com')
}

async function stopWorld(): Promise<void> {
  await mails.stop()
  await world.stop()
  await hosts?.stop()
  disk?.unmount()
  folders.remove()
}
