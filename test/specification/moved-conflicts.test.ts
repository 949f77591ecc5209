import { expect, test } from 'bun:test'
import { NO_CHOICES, useJobRig } from '../rigs/import/job-rig.ts'
import { settingsWithDomain } from '../rigs/service/shared-domain.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { useRig, useSharedFolders } from '../rigs/use-rig.ts'
import { invalid, makeLink, startContractRig } from './contract-rig.ts'

const OTHER = 'go.example'
const folders = useSharedFolders()
const rig = useRig(async () => startContractRig(await settingsWithDomain(folders.make(), OTHER)))
const caller = useCaller(rig)
const jobs = useJobRig(rig, caller)

test('a conflict goes to another domain, and is refused if its code is in use there too', async () => {
  await here('all-1', 'all-2', 'all-3')
  await here('all-2', { domain: OTHER })
  await here('all-3', { domain: OTHER, original_url: THERE })
  const links = ['all-1', 'all-2', 'all-3', 'all-4'].map((code) => ({
    original_url: THERE,
    custom_code: code,
  }))
  const body = { links, on_conflict: 'move', conflict_domain: OTHER }
  for (const dry_run of [true, false]) {
    const { data } = (
      await rig.call('POST', '/api/links/import', { key: caller.key, body: { ...body, dry_run } })
    ).body
    expect(data.map(({ result, domain, errors }: any) => [result, domain.split(':')[0], errors])).toEqual([
      ['created', OTHER, {}],
      ['refused', OTHER, { custom_code: [`The code is in use on ${OTHER} too.`] }],
      ['equal', OTHER, {}],
      ['created', 'localhost', {}],
    ])
  }
  expect(await destinations('all-1')).toEqual([HERE, THERE])
})

test.each([
  [{}, 'The conflict domain is required when on conflict is move.'],
  [{ conflict_domain: 'nowhere.example' }, 'The conflict domain is not one that you can use.'],
])('the other domain is one of the workspace: %j', async (fields, sentence) => {
  const link = { original_url: THERE, custom_code: 'any-code' }
  const body = { links: [link], on_conflict: 'move', ...fields }
  const answer = await rig.call('POST', '/api/links/import', { key: caller.key, body })
  expect(answer.body).toMatchObject(invalid({ conflict_domain: [sentence] }))
})

test('a job moves conflicts for all and one by one, and links that are refused because of their code', async () => {
  await here('one-1', 'one-2', 'one-3')
  await here('one-3', { domain: OTHER })
  const { id } = await jobs.checked({ source: 'csv' }, tableOf('one-1', 'one-2', 'one-3', 'docs'))
  const conflicts = await jobs.items(id, 'result=conflict')
  const [docs] = await jobs.items(id, 'result=refused')
  expect(Object.keys(docs!.errors)).toEqual(['custom_code'])
  const move = (number: number, new_domain?: string) => ({ number, choice: 'move', new_domain })
  const refused = async (...items: object[]) => (await jobs.ask('PUT', `/${id}/choices`, { items })).errors
  expect(await refused(move(conflicts[2]!.number, OTHER))).toEqual({
    'items.0.new_domain': [`The code is in use on ${OTHER} too.`],
  })
  expect(await refused(move(conflicts[0]!.number))).toEqual({
    'items.0.new_domain': ['The domain is not one that you can use.'],
  })
  expect(await refused({ number: docs!.number, choice: 'replace' })).toEqual({
    'items.0.number': ['The link is no conflict of the import.'],
  })
  const items = [move(conflicts[0]!.number, OTHER), move(docs!.number, OTHER)]
  const { choices } = await jobs.choose(id, { items })
  expect(choices).toEqual({ ...NO_CHOICES, skip: 2, move: 1, moved_refused: 1 })
  const forAll = await jobs.choose(id, { on_conflict: 'move', conflict_domain: OTHER })
  expect(forAll.choices).toMatchObject({ on_conflict: 'move', conflict_domain: OTHER, skip: 0, move: 3 })
  const done = await jobs.imported(id)
  expect(done.results).toMatchObject({ created: 3, skipped: 0, refused: 1 })
  expect((await jobs.items(id, 'result=refused')).map(({ code, errors }) => [code, errors])).toEqual([
    ['one-3', { custom_code: [`The code is in use on ${OTHER} too.`] }],
  ])
  expect(await destinations('one-1')).toEqual([HERE, THERE])
  expect(await destinations('one-3')).toEqual([HERE, HERE])
  expect((await linkAt('docs', OTHER)).original_url).toBe(THERE)
})

const HERE = 'https://here.example/'
const THERE = 'https://there.example/'

async function here(...all: (string | object)[]): Promise<void> {
  const codes = all.filter((each) => typeof each === 'string')
  const fields = Object.assign({}, ...all.filter((each) => typeof each === 'object'))
  for (const custom_code of codes) await makeLink(rig, caller, { original_url: HERE, custom_code, ...fields })
}

const tableOf = (...codes: string[]) => ['url,slug', ...codes.map((code) => `${THERE},${code}`)].join('\n')

const linkAt = async (code: string, domain: string) =>
  (await rig.call('GET', `/api/links/${code}?domain=${domain}`, caller)).body.data

const destinations = (code: string) =>
  Promise.all(['localhost', OTHER].map(async (domain) => (await linkAt(code, domain)).original_url))
