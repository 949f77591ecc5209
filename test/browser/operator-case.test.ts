import { describe, expect, test } from 'bun:test'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the case of the domain of BASE_URL', () => {
  const rig = useBrowserRig()

  test('is ignored once an operator says so, after conflicts were named', async () => {
    const user = await rig.user({ email: 'operator@example.com' })
    const link = { original_url: 'https://example.com/' }
    for (const custom_code of ['Twin', 'twin'])
      await user.browser.succeed('POST', '/links', { ...link, custom_code })
    const page = await rig.open('/admin/domains', { user })
    await press(page, 'Ignore case on localhost')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Ignore case' }).click()
    await dialog.getByText('Some codes differ in their case only: Twin and twin.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await user.browser.succeed('DELETE', '/links/twin?domain=localhost')
    await dialog.getByRole('button', { name: 'Ignore case' }).click()
    await shown(page, 'Upper and lower case on localhost')
    expect([await overflowOf(page), await axeFindings(page)]).toEqual([0, []])
    expect(await user.browser.succeed('GET', '/links/TWIN?domain=localhost')).toMatchObject({
      short_code: 'Twin',
    })
  })
})
