import { expect, test } from 'bun:test'
import { NO_DOMAIN } from './domain-hosts.ts'
import { type Domain, Domains, NOBODY } from './domains.ts'

test('a Host header names a domain in any spelling, with any port; a host that nobody had is the default domain', () => {
  const domains = domainsOf([OTHER, SHARED])
  for (const host of ['go.example', 'GO.Example', 'go.example:8443', 'go.example.', 'Go.example.:80'])
    expect([host, domains.idOf(host)]).toEqual([host, 5])
  for (const host of ['tern.example', 'old.example', 'x.go.example', '', '[::1]:3000', 'go.example:123456'])
    expect([host, domains.idOf(host)]).toEqual([host, 0])
})

test('a host that is served no longer is refused in any spelling, unless another domain or BASE_URL has it', () => {
  const ofNobody = { ...REMOVED, id: 8, host: 'closed.example', workspaceId: NOBODY }
  const before = { ...REMOVED, id: 9, host: OTHER.host }
  const base = { ...REMOVED, id: 10, host: 'tern.example' }
  const domains = domainsOf([OTHER, REMOVED, ofNobody, before, base])
  for (const host of ['old.example', 'OLD.example:8443', 'closed.example', 'closed.example.'])
    expect([host, domains.idOf(host), domains.serves(host)]).toEqual([host, NO_DOMAIN, false])
  expect([OTHER.host, 'tern.example', 'new.example'].map((host) => domains.idOf(host))).toEqual([5, 0, 0])
  expect(domains.ofWorkspace(1).map(({ id }) => id)).not.toContain(ofNobody.id)
})

test('unknown hosts can be refused', () => {
  for (const list of [[], [OTHER]]) {
    const domains = domainsOf(list, { refuses: true })
    expect(['tern.example', 'TERN.example:443'].map((host) => domains.idOf(host))).toEqual([0, 0])
    expect(['198.51.100.7', 'stranger.example'].map((host) => domains.idOf(host))).toEqual([
      NO_DOMAIN,
      NO_DOMAIN,
    ])
  }
})

test('a workspace uses its own domains and those of the operator', () => {
  const domains = domainsOf([OTHER, SHARED, REMOVED])
  const ids = (workspaceId: number) =>
    ['tern.example', 'go.example', 'all.example', 'none.example'].map((host) =>
      domains.idFor(workspaceId, host),
    )
  expect(ids(1)).toEqual([0, 5, 6, undefined])
  expect(ids(2)).toEqual([0, undefined, 6, undefined])
})

test('of several domains with one host, the one that is served is meant, whichever was there first', () => {
  const before = { ...SHARED, id: 4, host: OTHER.host, isServed: false }
  const after = { ...before, id: 9 }
  const domains = domainsOf([before, OTHER, after])
  expect(domains.idFor(1, OTHER.host)).toBe(OTHER.id)
  expect(domains.idsFor(1, OTHER.host)).toEqual([OTHER.id, 4, 9])
  expect(domains.idFor(2, OTHER.host)).toBe(4)
})

test('a host that is not served has no domain where it is named', () => {
  const domains = domainsOf([OTHER, REMOVED])
  const hosts = ['tern.example', 'go.example', 'none.example', REMOVED.host]
  expect(hosts.map((host) => domains.servedAt(host))).toEqual([0, 5, NO_DOMAIN, NO_DOMAIN])
})

test('the default domain of a workspace is the one it has chosen, while it is served', () => {
  const chosen = { ...OTHER, isDefault: true }
  expect(domainsOf([chosen, SHARED]).defaultOf(1)).toBe(5)
  expect(domainsOf([chosen, SHARED]).defaultOf(2)).toBe(0)
  expect(domainsOf([{ ...chosen, isServed: false }]).defaultOf(1)).toBe(0)
})

test('short URLs have the scheme and the port of BASE_URL', () => {
  const key = { domainId: 5, code: 'sale' }
  expect(domainsOf([OTHER]).shortUrlOf(key)).toBe('https://go.example/sale')
  const local = domainsOf([OTHER], { baseUrl: 'http://localhost:3000' })
  expect(local.shortUrlOf(key)).toBe('http://go.example:3000/sale')
  expect(local.shortUrlOf({ domainId: 0, code: 'sale' })).toBe('http://localhost:3000/sale')
})

test('short URLs have the prefix of their domain, which is the path of BASE_URL for the default domain', () => {
  const domains = domainsOf([{ ...OTHER, pathPrefix: '/s' }], { baseUrl: 'https://tern.example/links' })
  expect(domains.shortUrlOf({ domainId: 5, code: 'sale' })).toBe('https://go.example/s/sale')
  expect(domains.shortUrlOf({ domainId: 0, code: 'sale' })).toBe('https://tern.example/links/sale')
  expect([0, 5].map((id) => domains.hostOf(id))).toEqual(['tern.example', 'go.example'])
  expect([0, 5].map((id) => domains.prefixedHostOf(id))).toEqual(['tern.example/links', 'go.example/s'])
})

test('destinations on a domain that is served lead back to this service', () => {
  const domains = domainsOf([OTHER, REMOVED])
  const own = ['tern.example', 'go.example', 'go.example:8080', 'old.example', 'example.com']
  expect(own.filter((host) => domains.has(host, '/x'))).toEqual(['tern.example', 'go.example'])
  const behindPath = domainsOf([OTHER], { baseUrl: 'https://tern.example/links' })
  const paths = ['/', '/links', '/links/', '/links/x', '/links2', '/Links/x']
  expect(paths.filter((path) => behindPath.has('tern.example', path))).toEqual([
    '/links',
    '/links/',
    '/links/x',
  ])
  expect(behindPath.has('go.example', '/')).toBe(true)
})

const OTHER: Domain = {
  id: 5,
  host: 'go.example',
  isServed: true,
  workspaceId: 1,
  isDefault: false,
  ignoresCase: false,
  pathPrefix: '',
  homeUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
}
const BASE = 'https://tern.example'
const SHARED: Domain = { ...OTHER, id: 6, host: 'all.example', workspaceId: null }
const REMOVED: Domain = { ...OTHER, id: 7, host: 'old.example', isServed: false }

function domainsOf(list: readonly Domain[], { baseUrl = BASE, refuses = false } = {}): Domains {
  const domains = new Domains({ baseUrl, unknownHosts: refuses ? 'refuse' : 'serve' })
  domains.replace(list)
  return domains
}
