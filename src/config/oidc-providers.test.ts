import { expect, test } from 'bun:test'
import { oidcProviders } from './oidc-providers.ts'

const GOOD = { id: 'google', name: 'Google', issuer: 'https://accounts.google.com', client_id: 'tern' }

const read = (...providers: unknown[]) => oidcProviders.read(JSON.stringify(providers))

test('a provider needs four fields, and the others have defaults', () => {
  expect(read(GOOD)).toEqual([
    {
      id: 'google',
      name: 'Google',
      issuer: 'https://accounts.google.com',
      clientId: 'tern',
      clientSecret: undefined,
      scopes: [],
      emailDomains: [],
      groupRoles: [],
      emailVerifiedClaim: 'email_verified',
      groupsClaim: 'groups',
    },
  ])
})

test('every field can be set', () => {
  const all = {
    ...GOOD,
    client_secret: 'a secret',
    scopes: ['groups'],
    email_domains: ['Example.com'],
    email_verified_claim: 'xms_edov',
    groups_claim: 'roles',
    group_roles: [
      { group: 'staff', workspace: 7, role: 'viewer' },
      { group: 'staff', workspace: 'Marketing', role: 'admin' },
    ],
  }
  expect(read(all)).toEqual([
    {
      id: 'google',
      name: 'Google',
      issuer: 'https://accounts.google.com',
      clientId: 'tern',
      clientSecret: 'a secret',
      scopes: ['groups'],
      emailDomains: ['example.com'],
      emailVerifiedClaim: 'xms_edov',
      groupsClaim: 'roles',
      groupRoles: all.group_roles as never,
    },
  ])
})

test.each([
  ['no ID', { id: undefined }],
  ['an ID that is no part of a URL', { id: 'Google/1' }],
  ['a name with control characters', { name: 'Goo\ngle' }],
  ['an issuer without TLS', { issuer: 'http://accounts.example.com' }],
  ['an issuer that only begins like this machine', { issuer: 'http://localhost.example.com' }],
  ['an issuer with a query', { issuer: 'https://accounts.google.com?x' }],
  ['an issuer that is no URL', { issuer: 'accounts.google.com' }],
  ['an empty secret', { client_secret: '' }],
  ['a secret that is no text', { client_secret: 5 }],
  ['a scope with a space', { scopes: ['groups offline_access'] }],
  ['a domain with an @', { email_domains: ['@example.com'] }],
  ['too many domains', { email_domains: Array.from({ length: 101 }, (_, at) => `d${at}.example`) }],
  ['a text that is too long', { client_id: 'x'.repeat(1_001) }],
  ['a misspelled field', { email_domain: ['example.com'] }],
  ['a role that is none', { group_roles: [{ group: 'staff', workspace: 1, role: 'boss' }] }],
  ['owners by group', { group_roles: [{ group: 'staff', workspace: 1, role: 'owner' }] }],
  ['a group role without a workspace', { group_roles: [{ group: 'staff', role: 'viewer' }] }],
])('%s is refused', (_, change) => {
  expect(read({ ...GOOD, ...change })).toBeUndefined()
})

test('a workspace in digits is an ID, also as a text', () => {
  const group_roles = [{ group: 'staff', workspace: '7', role: 'viewer' }]
  expect(read({ ...GOOD, group_roles })![0]!.groupRoles).toEqual([
    { group: 'staff', workspace: 7, role: 'viewer' },
  ])
})

test('http is for this machine only', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    expect(read({ ...GOOD, issuer: `http://${host}:8080/realms/tern` })).toHaveLength(1)
})

test('what is no list, has two equal IDs or issuers, or too many providers, is refused', () => {
  expect(oidcProviders.read('{}')).toBeUndefined()
  expect(oidcProviders.read('[')).toBeUndefined()
  expect(oidcProviders.read('["google"]')).toBeUndefined()
  expect(read(GOOD, { ...GOOD, issuer: 'https://id.example.com' })).toBeUndefined()
  expect(read(GOOD, { ...GOOD, id: 'other' })).toBeUndefined()
  const distinct = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...GOOD, id: `p${at}`, issuer: `https://p${at}.example` }))
  expect(read(...distinct(20))).toHaveLength(20)
  expect(read(...distinct(21))).toBeUndefined()
})
