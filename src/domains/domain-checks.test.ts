import { describe, expect, test } from 'bun:test'
import { GuardedClient } from '../destination-pages/guarded-client.ts'
import { isPublicAddress } from '../destination-pages/public-address.ts'
import { Blocks } from '../links/destinations/blocks.ts'
import { DomainChecks } from './domain-checks.ts'
import { proofOf } from './find-domains.ts'

const TOKEN = 'token'
const NAME = 'go.corp-inc.example'

describe('a private address', () => {
  test.each([
    ['IPv4', ['10.20.30.40']],
    ['a cloud', ['169.254.169.254']],
    ['IPv6', ['fd00:ec2::254']],
    ['IPv4-mapped IPv6', ['::ffff:10.20.30.40']],
    ['public IPv4-mapped IPv6', ['::ffff:8.8.8.8']],
    ['NAT64', ['64:ff9b::a14:1e28']],
    ['one with a zone', ['fe80::1%eth0']],
    ['one beside a public address', ['8.8.8.8', '192.168.0.1']],
  ])('of %s is no different from an unknown name, also once the domain is proven', async (_, found) => {
    for (const txt of [undefined, [], ['tern-verify=another'], [proofOf(TOKEN)]]) {
      const unknown = await check({ found: [], txt })
      expect(await check({ found, txt })).toEqual(unknown)
      expect(unknown).toMatchObject({ pointing: `${NAME} has no public address.`, addresses: [] })
      expect(unknown.certificate).toBeUndefined()
    }
  })

  test('that is also that of this server shows that a proven domain leads here', async () => {
    const base = ['10.0.0.5']
    const proven = await check({ base, found: base, txt: [proofOf(TOKEN)] })
    expect(proven).toMatchObject({ ownership: undefined, pointing: undefined, addresses: [] })
    expect(await check({ base, found: base })).toEqual(await check({ base, found: [] }))
  })
})

test('records with another value, none, and DNS servers that do not answer give one sentence', async () => {
  const sentences = await Promise.all(
    [undefined, [], ['tern-verify=another']].map(async (txt) => (await check({ found: [], txt })).ownership),
  )
  expect(new Set(sentences).size).toBe(1)
  expect(sentences[0]).toStartWith(`There is no TXT record _tern.${NAME} with the expected value.`)
})

type World = { base?: string[]; found: string[]; txt?: string[] | undefined }

/** What the server's DNS says; nothing listens anywhere. */
function check({ base = ['93.184.216.34'], found, txt = [] }: World) {
  const resolve = async (name: string) => (name === NAME ? found : base)
  const client = new GuardedClient({
    resolve,
    isAllowedAddress: isPublicAddress,
    isAllowedPort: () => true,
    destinationRules: { ownHosts: { has: () => false }, allowPrivate: false, blocks: new Blocks() },
    userAgent: 'Tern',
    timeoutMs: 1,
  })
  const checks = new DomainChecks({
    baseUrl: 'https://tern.example',
    resolve,
    client,
    isAllowedAddress: isPublicAddress,
    lookUpTxt: async () => txt,
  })
  return checks.check({ name: NAME, token: TOKEN })
}
