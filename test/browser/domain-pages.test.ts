import { afterAll, describe, expect, test } from 'bun:test'
import { domainsOn } from './pages/domains-page.ts'
import { linkEditorOn } from './pages/link-editor-page.ts'
import type { Page } from 'playwright-core'
import { memberOf } from '../rigs/service/dashboard-rig.ts'
import { until } from '../rigs/eventually.ts'
import { OTHER_IP, OWN_IP, startDomainWorld } from '../rigs/service/domain-world.ts'
import { usePrepared } from '../rigs/use-rig.ts'
import { axeFindings } from './axe.ts'
import { startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { fill, heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('a domain', () => {
  const world = usePrepared(startDomainWorld)
  const rig = useBrowserRig(startInWorld)
  const owner = usePrepared(() => rig.user())
  let page: Page
  const domains = domainsOn(() => page)

  afterAll(() => world.stop())

  test('is added with the records to set, verified, made the default, changed and removed', async () => {
    page = await rig.open('/domains', { user: owner })
    await heading(page, 'Use your own domain')
    // Without https there is nothing to say of certificates.
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Domain',
      'DNS',
      'Links',
      'Home page',
      'Actions',
    ])
    await domains.add('localhost')
    await shown(page, 'The host must be a domain name, for example go.example.com.')
    await domains.name('Go.Example.com')
    await shown(page, 'There is no TXT record _tern.go.example.com with the expected value.')
    const checks = page.getByRole('dialog').locator('.domain-checks')
    await checks.getByText('Found no public address. Expected localhost.').waitFor()
    await page.getByText(/^Next check in \d+ s$/).waitFor()
    expect(await axeFindings(page)).toEqual([])
    world.addresses.set('go.example.com', OTHER_IP)
    await domains.check()
    await checks.getByText(`Found ${OTHER_IP}. Expected localhost.`).waitFor()
    // What is only begun is no problem for visitors, and its row says what was found.
    expect(await page.locator('main').getByRole('alert').count()).toBe(0)
    await page
      .getByRole('row', {
        name: new RegExp(`go.example.com Waiting for DNS ${OTHER_IP} · checked .*, again in`),
      })
      .waitFor()
    const value = await domains.record().textContent()
    world.txt.set('_tern.go.example.com', value!.trim())
    world.addresses.set('go.example.com', OWN_IP)
    await domains.check()
    await shown(page, 'The domain is verified and points here.')
    await press(page, 'Done')
    await shown(page, 'Points here')
    const destination = { original_url: 'https://example.com/', domain: 'go.example.com' }
    await owner.browser.succeed('POST', '/links', { ...destination, custom_code: 'first' })
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: 'go.example.com' })
    await row.locator('.cell-links').getByText('1', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'go.example.com' }).click()
    await heading(page, 'go.example.com')
    await fill(page, 'Home page', 'https://example.com/home')
    const save = (card: string) =>
      page.getByRole('region', { name: card }).getByRole('button', { name: 'Save changes' }).click()
    await save('Where visitors land')
    await shown(page, 'Saved.')
    await fill(page, 'Before the code', '/api')
    await save('Path prefix')
    await shown(page, 'must be a path such as /s')
    await fill(page, 'Before the code', 's')
    await save('Path prefix')
    await page.locator('input[value="/s"]').waitFor()
    await press(page, 'Make default')
    await shown(page, 'New links use go.example.com.')
    expect(await axeFindings(page)).toEqual([])
    const [own] = (await owner.browser.succeed('GET', '/domains')).slice(-1)
    expect(own).toMatchObject({
      is_default: true,
      home_url: 'https://example.com/home',
      path_prefix: '/s',
    })

    // What visitors have opened in vain is made a link with one click.
    await rig.call('GET', '/wintr', { headers: { Host: 'go.example.com', 'User-Agent': 'Firefox/140.0' } })
    const inVain = page.getByRole('region', { name: 'Not found, last 30 days' })
    await until(async () => {
      await page.reload()
      await heading(page, 'go.example.com')
      return inVain.isVisible()
    })
    await inVain.getByText('1 visit, last on').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await inVain.getByRole('button', { name: 'Create link with the code wintr' }).click()
    const editor = linkEditorOn(() => page)
    await editor.label('Destination').fill('https://example.com/winter')
    await editor.save()
    await editor.isClosed()
    await inVain.waitFor({ state: 'detached' })

    await press(page, 'Remove domain')
    await page
      .getByRole('dialog')
      .getByText('2 links stop working immediately. They and their analytics stay.')
      .waitFor()
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove domain' })
    expect(await remove.isDisabled()).toBe(true)
    await fill(page, 'Type go.example.com to confirm', 'go.example.com')
    await remove.click()
    await heading(page, 'Use your own domain')

    // Its link is still there, and cannot be opened before the domain is verified once more.
    await owner.browser.succeed('POST', '/domains', { host: 'go.example.com' })
    await page.reload()
    const notice = page.getByRole('alert').filter({ hasText: 'go.example.com is not verified.' })
    await notice.getByText('2 links there cannot be opened.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await notice.getByRole('link', { name: 'Show the records to set' }).click()
    await domains.record().getByText(value!.trim()).waitFor()
    await domains.check()
    await page
      .getByRole('alert')
      .filter({ hasText: 'go.example.com is not verified.' })
      .waitFor({ state: 'detached' })
    await shown(page, 'Points here')
  })

  test('is looked at for some minutes while its records are shown, and then when somebody asks for it', async () => {
    page = await rig.open('/domains', { user: owner })
    await heading(page, 'Domains')
    await page.clock.install()
    let looks = 0
    page.on('request', (request) => void (looks += request.url().endsWith('/verify') ? 1 : 0))
    await domains.add('slow.example.com')
    await shown(page, 'There is no TXT record _tern.slow.example.com with the expected value.')
    const again = page.getByText(/^Next check in \d+ s$/)
    await again.waitFor()
    const stopped = page.getByText('Checked every ten minutes, then every hour')
    const aMinuteLater = () => page.clock.fastForward(60_000)
    await until(async () => {
      await aMinuteLater()
      return stopped.isVisible()
    })
    const before = looks
    expect(before).toBeGreaterThan(1)
    for (let minute = 0; minute < 10; minute++) await aMinuteLater()
    await stopped.waitFor()
    expect(looks).toBe(before)
    await domains.check()
    await again.waitFor()
    await until(async () => {
      await aMinuteLater()
      return looks > before + 1
    })
  })

  test('has its name as people write it, with that of DNS beside it', async () => {
    page = await rig.open('/domains', { user: owner })
    await domains.add('München-Links.example')
    await heading(page, 'münchen-links.example')
    await domains.record().waitFor()
    await press(page, 'Done')
    await page.getByRole('link', { name: 'münchen-links.example xn--mnchen-links-dlb.example' }).click()
    await heading(page, 'münchen-links.example xn--mnchen-links-dlb.example')
    expect(await page.title()).toStartWith('münchen-links.example')
    await domains.remove('münchen-links.example')
    await shown(page, 'münchen-links.example is removed.')
  })

  test('is for admins only', async () => {
    page = await rig.open('/domains', { user: await memberOf(rig, owner, 'editor') })
    await heading(page, 'You don’t have access')
    expect(await page.getByRole('link', { name: 'Domains' }).count()).toBe(0)
  })

  function startInWorld() {
    world.addresses.set('localhost', OWN_IP)
    const { PORT } = world.settings
    return startBrowserRig({ ...world.settings, BASE_URL: `http://localhost:${PORT}` }, world.options)
  }
})
