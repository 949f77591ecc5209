import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { fixture } from '../rigs/import-fixtures.ts'
import { NO_CHOICES, useJobRig } from '../rigs/import/job-rig.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { invalid, makeLink, open, refusal, TIMESTAMP, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const jobs = useJobRig(rig, caller)

describe('a check', () => {
  test('says of every line what would become of it, and stores no link', async () => {
    const job = await jobs.checked({ source: 'csv' }, readFileSync(fixture('csv/broken-rows.csv')))
    expect(job).toMatchObject({ state: 'checked', import_id: null, results: null, message: null })
    expect(job.description[0]).toStartWith('links: CSV in utf-8, separated by commas')
    const created = await jobs.items(job.id, 'result=created')
    const refused = await jobs.items(job.id, 'result=refused')
    expect(job.counts).toEqual({
      created: created.length,
      equal: 0,
      conflicts: 0,
      refused: refused.length,
    })
    expect(job.progress).toEqual({
      links: created.length + refused.length,
      of: created.length + refused.length,
      since: expect.stringMatching(TIMESTAMP),
    })
    expect(created[0]).toEqual({
      number: 1,
      at: 'line 2',
      code: 'good-1',
      short_url: `${rig.config.baseUrl}/good-1`,
      destination: 'https://example.com/good-1',
      result: 'created',
      here: null,
      differences: {},
      errors: {},
      lost: [],
      choice: null,
      new_code: null,
      new_domain: null,
      suggested_code: null,
    })
    expect(job.old_codes).toBe(
      created.filter(({ code }) => code !== '' && !/^[\w-]{3,64}$/.test(code)).length,
    )
    expect(refused.find(({ at }) => at === 'line 6')).toMatchObject({
      code: 'good-1',
      errors: { link: ['The code is used before, at line 2.'] },
    })
    expect((await rig.call('GET', '/api/links/good-1', caller)).status).toBe(404)

    const { text } = await rig.call('GET', `/api/import-jobs/${job.id}/refused`, caller)
    const lines = text.trim().split('\r\n')
    expect(lines[0]).toEndWith('line,code,destination,why')
    expect(lines).toContain('line 6,good-1,https://example.com/taken,"The code is used before, at line 2."')
    await jobs.ask('DELETE', `/${job.id}`)
  })

  test('of what cannot be read fails with a sentence, and can be repeated', async () => {
    const job = await jobs.checked({ source: 'bitly' }, '{"links": [')
    expect(job).toMatchObject({ state: 'failed', message: 'links is not valid JSON.', counts: null })
    await jobs.succeed('POST', `/${job.id}/start`)
    expect(await jobs.settled(job.id)).toMatchObject({ state: 'failed', message: 'links is not valid JSON.' })
    await jobs.ask('DELETE', `/${job.id}`)
  })

  test('begins when there is something to check, and comes before the import', async () => {
    const { id } = await jobs.begin({ source: 'csv' })
    expect(await jobs.ask('POST', `/${id}/check`)).toEqual(invalid({ files: ['Upload a file first.'] }))
    await jobs.upload(id, { name: 'a.csv', offset: 0, size: 9, text: 'url' })
    expect(await jobs.ask('POST', `/${id}/check`)).toEqual(
      invalid({ files: ['Only a part of a.csv was uploaded.'] }),
    )
    const unchecked = refusal('import_job_state', 'Check the import first.')
    expect(await jobs.ask('POST', `/${id}/start`)).toEqual(unchecked)
    expect(await jobs.ask('PUT', `/${id}/choices`, {})).toEqual(unchecked)
    expect(await jobs.ask('POST', `/${id}/stop`)).toEqual(
      refusal('import_job_state', 'The import does not run.'),
    )
    await jobs.ask('DELETE', `/${id}`)
  })

  test('is made again for another domain, with the links that were read', async () => {
    const text = 'url,slug,domain\nhttps://example.com/,of-domain,nowhere.example\n'
    const job = await jobs.checked({ source: 'csv' }, text)
    expect(job.counts).toMatchObject({ created: 0, refused: 1 })
    expect(await jobs.change(job.id, { domain: 'localhost' })).toMatchObject({ state: 'draft', counts: null })
    await jobs.succeed('POST', `/${job.id}/check`)
    expect((await jobs.settled(job.id)).counts).toMatchObject({ created: 1, refused: 0 })
    await jobs.ask('DELETE', `/${job.id}`)
  })
})

describe('an import', () => {
  test('imports what was checked, is an import like others, and keeps only what was refused', async () => {
    const checked = await jobs.checked(
      { source: 'kutt', domain: 'localhost' },
      readFileSync(fixture('kutt/kutt.sqlite')),
    )
    expect(checked).toMatchObject({ state: 'checked', description: ['links: the SQLite database of Kutt'] })
    const { created, refused } = checked.counts!
    expect(created).toBeGreaterThan(10)
    const done = await jobs.imported(checked.id)
    const results = { created, equal: 0, skipped: 0, kept: 0, replaced: 0, refused }
    expect(done).toMatchObject({ state: 'done', results })
    expect(done.progress).toMatchObject({ links: created + refused, of: created + refused })
    const { data } = (await rig.call('GET', `/api/imports/${done.import_id}`, caller)).body
    expect(data).toMatchObject({ source: 'kutt', state: 'ended', counts: { created } })
    const links = (await rig.call('GET', `/api/links?import_id=${done.import_id}`, caller)).body
    expect(links.meta.total).toBe(created)
    for (const table of ['import_parts', 'import_groups'] as const)
      expect(
        await rig.store.db.selectFrom(table).select('job_id').where('job_id', '=', done.id).execute(),
      ).toEqual([])
    expect((await jobs.items(done.id, 'result=refused')).length).toBe(refused)
    expect(await jobs.ask('POST', `/${done.id}/start`)).toEqual(
      refusal('import_job_state', 'The import is done. Begin another one.'),
    )
    const { errors } = await jobs.upload(done.id, { name: 'b', offset: 0, text: 'x' })
    expect(errors).toEqual({})
  })

  test('does with conflicts what was chosen, for all and one by one', async () => {
    for (const code of ['cho-a', 'cho-b', 'cho-c', 'cho-d', 'cho-e', 'cho-e-2', 'cho-f'])
      await makeLink(rig, caller, { custom_code: code, original_url: `https://example.com/old-${code}` })
    const rows = ['cho-a', 'cho-b', 'cho-c', 'cho-d', 'cho-e', 'cho-f', 'cho-new'].map(
      (code) => `https://example.com/new-${code},${code},Title of ${code}`,
    )
    const job = await jobs.checked({ source: 'csv' }, ['url,slug,title', ...rows].join('\n'))
    expect(job.counts).toEqual({ created: 1, equal: 0, conflicts: 6, refused: 0 })
    expect(job.choices).toEqual({
      ...NO_CHOICES,
      skip: 6,
    })
    const [a, b, c, d, e, f] = await jobs.items(job.id, 'result=conflict')
    expect(a).toMatchObject({
      code: 'cho-a',
      here: 'https://example.com/old-cho-a',
      suggested_code: 'cho-a-2',
      differences: { original_url: { imported: 'https://example.com/new-cho-a' } },
    })
    expect(e!.suggested_code).toBe('cho-e-3')
    const chosen = await jobs.choose(job.id, {
      on_conflict: 'keep',
      items: [
        { number: b!.number, choice: 'skip' },
        { number: c!.number, choice: 'replace' },
        { number: d!.number, choice: 'rename', new_code: 'renamed' },
        { number: e!.number, choice: 'rename' },
        { number: f!.number, choice: 'rename' },
      ],
    })
    expect(chosen.choices).toEqual({
      ...NO_CHOICES,
      on_conflict: 'keep',
      skip: 1,
      keep: 1,
      replace: 1,
      rename: 3,
    })
    await jobs.choose(job.id, { items: [{ number: f!.number, choice: null }] })
    const done = await jobs.imported(job.id)
    expect(done.results).toEqual({ created: 3, equal: 0, skipped: 1, kept: 2, replaced: 1, refused: 0 })
    const at = async (code: string) => (await open(rig, `/${code}`)).headers.get('location')
    expect(await Promise.all(['cho-a', 'cho-b', 'cho-c', 'cho-d'].map(at))).toEqual([
      'https://example.com/old-cho-a',
      'https://example.com/old-cho-b',
      'https://example.com/new-cho-c',
      'https://example.com/old-cho-d',
    ])
    expect(await Promise.all(['renamed', 'cho-e-3', 'cho-new'].map(at))).toEqual([
      'https://example.com/new-cho-d',
      'https://example.com/new-cho-e',
      'https://example.com/new-cho-new',
    ])
    const { title } = (await rig.call('GET', '/api/links/cho-a', caller)).body.data
    expect(title).toBe('Title of cho-a')
  })

  test('gives a renamed link no code under which another one follows', async () => {
    await makeLink(rig, caller, { custom_code: 'fol-1' })
    const text = 'url,slug\nhttps://example.com/1,fol-1\nhttps://example.com/2,fol-1-2\n'
    const { id } = await jobs.checked({ source: 'csv' }, text)
    const [conflict] = await jobs.items(id, 'result=conflict')
    await jobs.choose(id, { items: [{ number: conflict!.number, choice: 'rename' }] })
    expect((await jobs.imported(id)).results).toMatchObject({ created: 2, skipped: 0 })
    const at = async (code: string) => (await open(rig, `/${code}`)).headers.get('location')
    expect(await Promise.all(['fol-1-2', 'fol-1-3'].map(at))).toEqual([
      'https://example.com/2',
      'https://example.com/1',
    ])
  })

  test('takes no code that is taken or cannot be, and no choice for what is no conflict', async () => {
    await makeLink(rig, caller, { custom_code: 'claimed-1' })
    const text = 'url,slug\nhttps://example.com/2,claimed-1\nhttps://example.com/3,free-1\n'
    const { id } = await jobs.checked({ source: 'csv' }, text)
    const rename = (number: number, new_code: string) =>
      jobs.ask('PUT', `/${id}/choices`, { items: [{ number, choice: 'rename', new_code }] })
    expect(await rename(1, 'claimed-1')).toEqual(
      invalid({ 'items.0.new_code': ['The new code is already taken.'] }),
    )
    expect(await rename(1, 'a b')).toMatchObject({
      errors: { 'items.0.new_code': [expect.stringContaining('may not contain spaces')] },
    })
    expect(await rename(2, 'other')).toEqual(
      invalid({ 'items.0.number': ['The link is no conflict of the import.'] }),
    )
    await jobs.ask('DELETE', `/${id}`)
  })

  test('is stopped and goes on, and imports nothing twice', async () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => `https://example.com/${at},stop-${at}`)
    const { id } = await jobs.checked({ source: 'csv' }, ['url,slug', ...rows].join('\n'))
    const { meta } = await jobs.ask('GET', `/${id}/items?result=created`)
    expect(meta.total).toBe(1_000)
    await jobs.succeed('POST', `/${id}/start`)
    const stopped = await jobs.succeed('POST', `/${id}/stop`)
    expect(stopped.state).toBe('stopped')
    expect(await jobs.succeed('POST', `/${id}/stop`)).toMatchObject({ state: 'stopped' })
    const done = await jobs.imported(id)
    expect(done).toMatchObject({ state: 'done', results: { created: 2_000, equal: 0, refused: 0 } })
    const links = (await rig.call('GET', `/api/links?import_id=${done.import_id}`, caller)).body
    expect(links.meta.total).toBe(2_000)
  })

  test('ends with a sentence when who has started it loses access, and another member continues it', async () => {
    const deps = { db: rig.store.db, clock: systemClock, baseUrl: rig.config.baseUrl }
    const key = await issueKey(deps, caller, { name: 'Leaving', scopes: ['links:write'] })
    const { id } = await jobs.checked({ source: 'csv' }, 'url,slug\nhttps://example.com/,left-1\n')
    await jobs.succeed('POST', `/${id}/check`, undefined, key)
    await jobs.settled(id)
    await rig.store.db.updateTable('api_keys').set({ revoked_at: 1 }).where('id', '=', key.id).execute()
    // As after a restart: the job goes on by itself.
    const row = rig.store.db.updateTable('import_jobs').where('id', '=', id)
    await row.set({ state: 'checking' }).execute()
    expect(await jobs.settled(id)).toMatchObject({
      state: 'failed',
      message:
        'Who has started the import may not edit links in this workspace any more. Somebody who may can continue it.',
    })
    expect(await jobs.imported(id)).toMatchObject({ state: 'done', message: null })
    expect((await rig.call('GET', '/api/links/left-1', caller)).status).toBe(200)
  })

  test('that was stopped and is edited ends with what it has, and all of it is equal in the next check', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => `https://example.com/${at},edit-${at}`)
    const { id } = await jobs.checked({ source: 'csv' }, ['url,slug', ...rows].join('\n'))
    const { import_id: first } = await jobs.succeed('POST', `/${id}/start`)
    await jobs.succeed('POST', `/${id}/stop`)
    const options = { columns: { title: 'slug' } }
    expect(await jobs.change(id, { options })).toMatchObject({
      state: 'draft',
      import_id: null,
      results: null,
    })
    const ended = () => rig.call('GET', `/api/imports/${first}`, caller)
    const { state, counts } = (await ended()).body.data
    expect(state).toBe('ended')
    await jobs.change(id, { options: {} })
    await jobs.succeed('POST', `/${id}/check`)
    const checked = await jobs.settled(id)
    expect(checked.counts).toEqual({
      created: 500 - counts.created,
      equal: counts.created,
      conflicts: 0,
      refused: 0,
    })
    const done = await jobs.imported(id)
    expect(done).toMatchObject({
      state: 'done',
      results: { created: 500 - counts.created, equal: counts.created },
    })
  })
})
