import { describe, expect, test } from 'bun:test'
import { useJobRig } from '../rigs/import/job-rig.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { invalid, useOwnContractRig } from './contract-rig.ts'

const rig = useOwnContractRig()
const caller = useCaller(rig)
const jobs = useJobRig(rig, caller)

describe('what does not come along', () => {
  test('is left where it is, and links go to the folder that was chosen', async () => {
    const choices = { without: ['clicks', 'tags', 'archived'], folder: 'Imported from a table' }
    const job = await jobs.checked({ source: 'csv', ...choices }, tableOf('along'))
    expect(job).toMatchObject({ options: choices, counts: { created: 1, refused: 1 } })
    expect(await jobs.items(job.id, 'result=refused')).toMatchObject([
      { code: 'along-2', errors: { link: ['The link is archived, and such links are left out.'] } },
    ])
    const [kept] = await jobs.items(job.id, 'result=created')
    expect(kept!.lost).toEqual([])
    await jobs.imported(job.id)
    expect(await linkAt('along-1')).toMatchObject({ tags: [], folder: 'Imported from a table' })
    expect(await importedClicks('along-1')).toBe(0)
  })

  test('is chosen again for links that were checked, and nothing of it is a difference', async () => {
    const first = await jobs.checked({ source: 'csv' }, tableOf('again'))
    await jobs.imported(first.id)
    expect(await linkAt('again-1')).toMatchObject({ tags: ['One'], folder: 'Old' })
    expect(await importedClicks('again-1')).toBe(7)
    const other = tableOf('again').replaceAll('One', 'Two').replaceAll('Old', 'New')
    const second = await jobs.checked({ source: 'csv' }, other)
    expect(second.counts).toMatchObject({ equal: 0, conflicts: 2 })
    await jobs.change(second.id, { options: { without: ['tags', 'folders'] } })
    await jobs.succeed('POST', `/${second.id}/check`)
    expect((await jobs.settled(second.id)).counts).toMatchObject({ equal: 2, conflicts: 0 })
    await jobs.ask('DELETE', `/${second.id}`)
  })

  test('is what was created before or after some days', async () => {
    const choices = { created_from: '2024-01-01', created_to: '2024-12-31' }
    const rows = ['2023-12-31', '2024-06-01', '2025-01-01'].map(
      (created, at) => `https://example.com/,days-${at},${created}`,
    )
    const job = await jobs.checked({ source: 'csv', ...choices }, ['url,slug,created', ...rows].join('\n'))
    expect(job).toMatchObject({ options: choices, counts: { created: 1, refused: 2 } })
    await jobs.change(job.id, { options: { created_from: '2024-01-01' } })
    await jobs.succeed('POST', `/${job.id}/check`)
    expect((await jobs.settled(job.id)).counts).toMatchObject({ created: 2, refused: 1 })
    await jobs.ask('DELETE', `/${job.id}`)
  })

  test.each([
    [
      { created_from: '2024-02-02', created_to: '2024-02-01' },
      { created_to: ['The created to may not be before created from.'] },
    ],
    [
      { created_from: 'yesterday' },
      { created_from: ['The created from must be a day since 1970, such as 2026-11-20.'] },
    ],
    [
      { without: ['codes'] },
      { 'without.0': ['The without.0 must be one of clicks, tags, folders, archived.'] },
    ],
    [{ folder: '' }, { folder: ['The folder may not be empty.'] }],
  ])('is known by name: %j', async (choices, errors) => {
    expect(await jobs.ask('POST', '', { source: 'csv', ...choices })).toEqual(invalid(errors))
  })
})

const tableOf = (code: string) =>
  [
    'url,slug,tags,folder,clicks,archived',
    `https://example.com/,${code}-1,One,Old,7,no`,
    `https://example.com/,${code}-2,One,Old,7,yes`,
  ].join('\n')

const linkAt = async (code: string) => (await rig.call('GET', `/api/links/${code}`, caller)).body.data

const importedClicks = async (code: string): Promise<number> => {
  const path = `/api/analytics/imported?short_code=${code}`
  return (await rig.call('GET', path, caller)).body.data.imported.clicks
}
