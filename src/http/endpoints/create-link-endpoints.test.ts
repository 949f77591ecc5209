import { beforeEach, describe, expect, test } from 'bun:test'
import { UNHEARD } from '../../../test/rigs/service/creation.ts'
import { NO_OWN_HOST } from '../../../test/rigs/redirect/no-own-host.ts'
import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { ownerOf } from '../../../test/rigs/store/owner-of.ts'
import { enginesToTest } from '../../../test/rigs/store/test-store.ts'
import { useOwnedStore } from '../../../test/rigs/store/owned-store.ts'
import { defaultKey } from '../../links/link-key.ts'
import { systemClock } from '../../runtime/clock.ts'
import { CreationGroups } from '../../links/creation-groups.ts'
import { RunningRequests } from '../../links/idempotency.ts'
import { readConfig } from '../../config/config.ts'
import { CodeSettings } from '../../workspaces/settings/code-settings.ts'
import { schemasOf, type ServerDeps } from '../dispatch/server-deps.ts'
import { createLinkEndpoints } from './create-link-endpoints.ts'

describe.each(enginesToTest('passwords of new links'))('on %s', (engine) => {
  const store = useOwnedStore(engine)
  let hashed: string[]

  beforeEach(async () => {
    hashed = []
  })

  test('are hashed once it is sure that all links are created', async () => {
    await create([linkAt('taken')])
    const refusal = await create([linkAt('first', 'one'), linkAt('taken', 'two')]).catch((error) => error)
    expect(refusal.fields).toEqual({ 'links.1.custom_code': ['The custom code has already been taken.'] })
    await create([linkAt('first', 'one')], { dry_run: true })
    expect(hashed).toEqual([])
    await create([linkAt('first', 'one'), linkAt('second'), linkAt('third', 'three')])
    expect(hashed).toEqual(['one', 'three'])
    expect(await stored()).toEqual([
      { code: 'taken', password_hash: null },
      { code: 'first', password_hash: 'hash of one' },
      { code: 'second', password_hash: null },
      { code: 'third', password_hash: 'hash of three' },
    ])
  })

  test('are not hashed again when the request is repeated', async () => {
    const first = await create([linkAt('first', 'one')], { key: 'abc' })
    const again = await create([linkAt('first', 'one')], { key: 'abc' })
    expect(again).toEqual({ ...(first as object), headers: { 'Idempotent-Replayed': 'true' } })
    expect(hashed).toEqual(['one'])
  })

  const create = async (links: object[], { dry_run = false, key = '' } = {}) => {
    const [, bulk] = createLinkEndpoints
    const deps = {
      db: store.db,
      clock: systemClock,
      schemas: schemasOf({ config: readConfig({}), destinationRules: NO_OWN_HOST }),
      destinationRules: NO_OWN_HOST,
      codeSettings: new CodeSettings({ db: store.db, clock: systemClock }),
      domains: noOtherDomains(),
      runningRequests: new RunningRequests(),
      creationGroups: new CreationGroups({ db: store.db, clock: systemClock, ...UNHEARD }),
      titles: { add() {} },
      ...UNHEARD,
      passwords: {
        async hashOfLinks(_workspaceId: number, passwords: readonly string[]) {
          hashed.push(...passwords)
          return passwords.map((password) => `hash of ${password}`)
        },
      },
    } as unknown as ServerDeps
    const caller = ownerOf(store.workspaceId)
    const read = { deps, caller, key: defaultKey('') }
    const input = await bulk!.input!.read({ links, dry_run }, read)
    const idempotent = key === '' ? undefined : { endpoint: 'POST', key, fingerprint: '' }
    return bulk!.run({ ...read, input, idempotent }, deps)
  }

  const linkAt = (custom_code: string, password?: string) => ({
    original_url: 'https://example.com/',
    custom_code,
    password,
  })

  const stored = () => store.db.selectFrom('links').select(['code', 'password_hash']).orderBy('id').execute()
})
