import { expect, test } from 'bun:test'
import type { MemberRole } from '../../src/access/roles-and-scopes.ts'
import { memberOf, type TestUser, useDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'
import { refusal } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
const owner = useUser(rig)

const PATH = '/workspace/settings'
const TEMPLATES = [{ name: 'News', source: 'news', medium: null, campaign: null, term: null, content: null }]

test('an editor changes templates and the style of QR codes, and nothing beside them', async () => {
  const editor = await memberAs('editor')
  const before = await settings()
  const forbidden = { utm_templates: TEMPLATES, timezone: 'Mars', brand_colors: [] }
  expect(await answerOf(editor, forbidden)).toEqual([
    403,
    refusal('role_insufficient', onlyAdmins('brand_colors, timezone')),
  ])
  expect(await settings()).toEqual(before)
  const after = { ...before, utm_templates: TEMPLATES }
  expect(await answerOf(editor, { utm_templates: TEMPLATES })).toEqual([200, after])
  expect(await settings()).toEqual(after)
})

test('an admin changes all of them', async () => {
  const admin = await memberAs('admin')
  const changes = { timezone: 'Europe/Berlin', preview_pages: false, brand_colors: ['#000000'] }
  expect(await answerOf(admin, changes)).toMatchObject([200, changes])
  expect(await settings()).toMatchObject(changes)
})

test('only admins make keys that change settings', async () => {
  const input = { name: 'Key', scopes: ['workspace:write'] }
  const refused = await (await memberAs('editor')).browser.request('POST', '/keys', input)
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['scopes']])
  const { key } = await (await memberAs('admin')).browser.succeed('POST', '/keys', input)
  const answer = await rig.call('PUT', '/api/workspace/settings', { key, body: { utm_templates: TEMPLATES } })
  expect([answer.status, answer.body.data.utm_templates]).toEqual([200, TEMPLATES])
})

const onlyAdmins = (names: string) =>
  `Insufficient permissions: only admins of the workspace can change ${names}.`

const answerOf = async ({ browser }: TestUser, changes: object) => {
  const { status, body } = await browser.request('PUT', PATH, changes)
  return [status, status === 200 ? body.data : body]
}
const settings = () => owner.browser.succeed('GET', PATH)
const memberAs = (role: MemberRole) => memberOf(rig, owner, role)
