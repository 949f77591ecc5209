import { afterEach, expect, test } from 'bun:test'
import { oidcProviders } from '../../config/oidc-providers.ts'
import { discoveryProblem } from './discovery-problem.ts'

let server: ReturnType<typeof Bun.serve> | undefined
afterEach(() => server?.stop(true))
const DOCUMENT = '/.well-known/openid-configuration'

test('a discovery document with the issuer of the setting is fine', async () => {
  serve((origin) => Response.json({ issuer: `${origin}/realms/a` }))
  expect(await problemOf(`${base()}/realms/a`)).toBeUndefined()
})

test.each([
  ['with a slash at the end', (origin: string) => `${origin}/realms/a/`],
  ['on another host', () => 'https://login.example.com/realms/a'],
  ['of another realm', (origin: string) => `${origin}/realms/b`],
])('an issuer %s is named beside that of the setting', async (_, announced) => {
  serve((origin) => Response.json({ issuer: announced(origin) }))
  const issuer = `${base()}/realms/a`
  expect(await problemOf(issuer)).toEqual({
    sentence: `OIDC_PROVIDERS has the issuer "${issuer}", and the provider calls itself "${announced(base())}". Set "issuer" in OIDC_PROVIDERS to exactly what the provider says.`,
    isPassing: false,
  })
})

test('an issuer that says http must be changed at the provider', async () => {
  serve(() => Response.json({ issuer: 'http://login.example.com/realms/a' }))
  const issuer = `${base()}/realms/a`
  expect(await problemOf(issuer)).toEqual({
    sentence: `OIDC_PROVIDERS has the issuer "${issuer}", and the provider calls itself "http://login.example.com/realms/a". Give the provider its public https URL, and set "issuer" in OIDC_PROVIDERS to the same.`,
    isPassing: false,
  })
})

test('what is no discovery document is a mistake in the setting, unless the provider fails', async () => {
  const url = serve(() => new Response('no', { status: 404 })) + DOCUMENT
  const answered = (status: number) =>
    `The provider answered ${status} at ${url}, not with its discovery document. Check the issuer in OIDC_PROVIDERS.`
  expect(await problemOf(`${base()}/`)).toEqual({ sentence: answered(404), isPassing: false })
  server!.reload({ fetch: () => new Response('no', { status: 503 }) })
  expect(await problemOf(base())).toEqual({ sentence: answered(503), isPassing: true })
  for (const body of ['<html>', 'null', '{}', '{"issuer":7}', '{"issuer":"none"}']) {
    server!.reload({ fetch: () => new Response(body) })
    expect(await problemOf(base())).toEqual({
      sentence: `What the provider answered at ${url} is not a discovery document. Check the issuer in OIDC_PROVIDERS.`,
      isPassing: false,
    })
  }
})

test('a provider that cannot be reached may be back soon', async () => {
  const url = serve(() => new Response())
  await server!.stop(true)
  expect(await problemOf(url)).toEqual({
    sentence: `The provider cannot be reached at ${url}${DOCUMENT} (ECONNREFUSED). Check the issuer in OIDC_PROVIDERS, DNS and the firewall.`,
    isPassing: true,
  })
})

const serve = (answer: (base: string) => Response): string => {
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => answer(base()) })
  return base()
}
const base = () => `http://127.0.0.1:${server!.port}`
const problemOf = (issuer: string) => {
  const [provider] = oidcProviders.read(
    JSON.stringify([{ id: 'a', name: 'Login', issuer, client_id: 'tern' }]),
  )!
  return discoveryProblem(provider!)
}
