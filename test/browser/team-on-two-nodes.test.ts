import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { keysOn } from './pages/keys-page.ts'
import { domainsOn } from './pages/domains-page.ts'
import type { Page } from 'playwright-core'
import { COMMAND_LINE, operatorIn } from '../../src/access/caller.ts'
import { ANNOUNCED_BY_STORE } from '../../src/cli/command.ts'
import { readConfig } from '../../src/config/config.ts'
import { WorkspacePlaces } from '../../src/limits/workspace-places.ts'
import { findDomain } from '../../src/domains/find-domains.ts'
import { openDomainChecks } from '../../src/domains/open-domain-checks.ts'
import { type VerifyDeps, verifyDomain } from '../../src/domains/verify-domain.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type DomainWorld, OWN_IP, startDomainWorld } from '../rigs/service/domain-world.ts'
import { until } from '../rigs/eventually.ts'
import { asAnother } from '../rigs/program/operated-folder.ts'
import { lacks } from '../robustness/driver/lacks.ts'
import { useTern } from '../robustness/driver/tern.ts'
import { type Browser, hasNoChromium, openBrowser } from './chromium.ts'
import { chooseForLink, chooseFrom, clipboard, heading, press, shown, signInAt } from './user-pages.ts'

// What a team does with Tern, from the invitation to the last day of a member, on two nodes of one store.

// Browsers trust hosts below localhost without TLS.
const HOSTNAME = 'tern.localhost'
const BASE_URL = `http://${HOSTNAME}`
const DEADLINE_MS = 120_000

describe.skipIf(hasNoChromium || lacks('a team on two nodes', 'postgresql'))('a team on two nodes', () => {
  const tern = useTern({ nodes: 2, postgres: {}, settings: { BASE_URL } })
  /** One that meets the first node, and one that meets the second, both by the address of the service. */
  let browsers: Browser[]
  let world: DomainWorld

  beforeAll(openTeam, DEADLINE_MS)

  afterAll(closeTeam)

  test(
    'an editor joins by a copied link and works on a second domain, a viewer looks, the owner reads it all and removes the editor',
    async () => {
      const owner = await signedIn(0, 'operator@example.com')
      const editor = await invite(owner, EDITOR, 'Editor')
      await addDomain(owner)
      await until(async () => (await domainsOf(editor)).includes(HOST))
      await editor.reload()
      await editor.getByLabel('Domain', { exact: true }).selectOption(HOST)
      await press(editor, 'More options')
      await editor.getByLabel('Destination', { exact: true }).fill('https://example.com/launch')
      await editor.getByLabel('Custom code', { exact: true }).fill('launch')
      await editor.keyboard.press('ControlOrMeta+Enter')
      await editor
        .getByRole('row')
        .filter({ hasText: `${HOST}/launch` })
        .waitFor()
      await onBothNodes('launch', 'https://example.com/launch')
      const key = await makeKey(editor)
      const made = { original_url: 'https://example.com/by-key', custom_code: 'by-key', domain: HOST }
      expect((await tern.ask({ node: 0, key }, 'POST', '/api/links', made)).status).toBe(201)
      await onBothNodes('by-key', 'https://example.com/by-key')

      const viewer = await invite(owner, VIEWER, 'Viewer')
      await viewer
        .getByRole('row')
        .filter({ hasText: `${HOST}/launch` })
        .waitFor()
      expect(await viewer.getByPlaceholder('Paste a long URL').count()).toBe(0)
      await viewer.getByRole('button', { name: 'More actions for launch' }).click()
      expect(await viewer.getByRole('menuitem').allTextContents()).toEqual([
        'Copy short URL',
        'QR code',
        'Open destination',
      ])
      const launch = `/links/launch?domain=${HOST}`
      expect(await statusesOf(viewer, 'GET', launch)).toEqual([200, 200])
      const destination = { original_url: 'https://example.com/by-viewer' }
      for (const [method, path, body] of [
        ['POST', '/links', { ...destination, domain: HOST }],
        ['PUT', launch, destination],
        ['DELETE', launch, undefined],
        ['POST', '/domains', { host: 'viewer.example' }],
        ['DELETE', `/domains/${HOST}`, undefined],
        ['GET', '/members', undefined],
        ['GET', '/audit-log', undefined],
      ] as const)
        expect([method, path, await statusesOf(viewer, method, path, body)]).toEqual([
          method,
          path,
          [403, 403],
        ])
      expect(await visit(0, 'launch')).toEqual([302, 'https://example.com/launch'])

      await owner.goto(`${BASE_URL}/dashboard/audit-log`)
      for (const deed of [
        `invited ${EDITOR}`,
        `became a member: ${EDITOR}`,
        `verified the domain ${HOST}`,
        `created ${HOST}/launch`,
        'created the API key Script of the editor',
        `created ${HOST}/by-key`,
        `invited ${VIEWER}`,
      ])
        await owner.getByRole('row').filter({ hasText: deed }).first().waitFor()

      await editor.goto(`${BASE_URL}/dashboard/`)
      await chooseForLink(editor, 'launch', 'Edit')
      expect(await statusesOf(editor, 'GET', launch)).toEqual([200, 200])
      await owner.goto(`${BASE_URL}/dashboard/members`)
      await chooseFrom(owner, `More about ${EDITOR}`, 'Remove from workspace')
      await press(owner, 'Remove from workspace')
      await shown(owner, `${EDITOR} was removed`)
      expect(await statusesOf(editor, 'GET', launch)).toEqual([404, 404])
      expect(await statusesOf(editor, 'PUT', launch, destination)).toEqual([404, 404])
      expect(await statusesOf(viewer, 'GET', launch)).toEqual([200, 200])
      for (const node of [0, 1])
        expect([node, (await tern.ask({ node, key }, 'GET', '/api/links')).status]).toEqual([node, 401])
      await editor.getByLabel('Title', { exact: true }).fill('Too late')
      await editor.keyboard.press('ControlOrMeta+Enter')
      await shown(editor, 'Create your first link')
      expect(await editor.content()).not.toContain(`${HOST}/launch`)
      await owner.goto(`${BASE_URL}/dashboard/audit-log`)
      await owner.getByRole('row').filter({ hasText: 'removed' }).first().waitFor()
      await viewer.goto(`${BASE_URL}/dashboard/`)
      await viewer
        .getByRole('row')
        .filter({ hasText: `${HOST}/launch` })
        .waitFor()
      expect(await viewer.content()).not.toContain('Too late')
      expect(await visit(1, 'launch')).toEqual([302, 'https://example.com/launch'])
      expect(browsers.flatMap((browser) => browser.takeFaults())).toEqual([])
    },
    DEADLINE_MS,
  )

  async function openTeam(): Promise<void> {
    world = await startDomainWorld()
    for (const email of [EDITOR, VIEWER]) await asAnother(tern.operator, email)
    browsers = await Promise.all(tern.nodes.map(({ port }) => openBrowser({ hostname: HOSTNAME, port })))
  }

  async function closeTeam(): Promise<void> {
    await Promise.all(browsers.map((browser) => browser.close()))
    await world.stop()
  }

  async function signedIn(node: number, email: string): Promise<Page> {
    const page = await browsers[node]!.open(`${BASE_URL}/dashboard/`)
    await signInAt(page, email)
    await heading(page, 'Links')
    return page
  }

  /** The owner copies the link of an invitation, and who it is for opens it on the second node. */
  async function invite(owner: Page, email: string, role: 'Editor' | 'Viewer'): Promise<Page> {
    await owner.goto(`${BASE_URL}/dashboard/members`)
    await heading(owner, 'Members')
    await press(owner, 'Invite members')
    await owner.getByRole('dialog').getByLabel('Email addresses', { exact: true }).fill(email)
    await owner.getByRole('radio', { name: new RegExp(`^${role}`) }).check()
    await press(owner, 'Create invitation link')
    await press(owner, 'Done')
    await press(owner, `Copy link for ${email}`)
    await owner.getByRole('button', { name: 'Copied' }).waitFor()
    const link = await clipboard(owner)
    expect(link).toStartWith(`${BASE_URL}/dashboard/invitation#`)
    const page = await signedIn(1, email)
    await page.goto(link)
    await press(page, 'Join workspace')
    await heading(page, 'Links')
    return page
  }

  /** The owner adds the domain and sets its record; the check asks the DNS server of this test, which the nodes do not know. */
  async function addDomain(owner: Page): Promise<void> {
    await owner.goto(`${BASE_URL}/dashboard/domains`)
    const { add, record } = domainsOn(() => owner)
    await add(HOST)
    const value = await record().textContent()
    world.txt.set(`_tern.${HOST}`, value!.trim())
    for (const host of [HOST, HOSTNAME]) world.addresses.set(host, OWN_IP)
    await press(owner, 'Done')
    const { workspaceId, settings } = tern.operator
    const { reachableIps = [], dnsServers } = world.options
    const config = readConfig({ ...settings, BASE_URL })
    const store = await openStore(config, 'same-thread')
    const deps: VerifyDeps = {
      db: store.db,
      clock: systemClock,
      mails: { post() {} },
      redirectState: ANNOUNCED_BY_STORE,
      baseUrl: BASE_URL,
      domainChecks: openDomainChecks({ config, reachableIps, dnsServers }),
      domainCheckPlaces: new WorkspacePlaces(
        { running: 1, runningOfOne: 1, waiting: 1, waitingOfOne: 1 },
        'Too many domains are being checked.',
      ),
    }
    const caller = operatorIn(workspaceId, COMMAND_LINE)
    const domain = await findDomain(deps, caller, HOST)
    const { ownership, pointing } = await verifyDomain(deps, caller, domain)
    expect([ownership, pointing]).toEqual([undefined, undefined])
    await store.close()
  }

  /** What the session of the page gets from each node in the workspace of the team. */
  const statusesOf = async (page: Page, method: string, path: string, body?: object) => {
    const cookies = await page.context().cookies()
    const headers = {
      Host: HOSTNAME,
      Origin: BASE_URL,
      'Sec-Fetch-Site': 'same-origin',
      'X-Workspace': String(tern.operator.workspaceId),
      Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      ...(body && { 'Content-Type': 'application/json' }),
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return Promise.all(
      tern.nodes.map(
        async ({ port }) => (await fetch(`http://127.0.0.1:${port}/dashboard/api${path}`, init)).status,
      ),
    )
  }

  const visit = async (node: number, code: string) => {
    const url = `http://127.0.0.1:${tern.nodes[node]!.port}/${code}`
    const { status, headers } = await fetch(url, { headers: { Host: HOST }, redirect: 'manual' })
    return [status, headers.get('location')]
  }

  const onBothNodes = (code: string, location: string) =>
    until(async () =>
      (await Promise.all([visit(0, code), visit(1, code)])).every(([, to]) => to === location),
    )

  /** Where the user of the page can make links. */
  const domainsOf = (page: Page): Promise<string[]> =>
    page.evaluate(async () => (await (await fetch('/dashboard/api/session')).json()).data.domains)

  async function makeKey(page: Page): Promise<string> {
    await page.goto(`${BASE_URL}/dashboard/keys`)
    const { open, create, close } = keysOn(() => page)
    await open('Script of the editor')
    const key = await create()
    await close()
    return key
  }
})

const HOST = 'go.example'
const [EDITOR, VIEWER] = ['editor@example.com', 'viewer@example.com']
