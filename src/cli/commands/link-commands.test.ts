import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startLinkCommandsRig } from '../../../test/rigs/service/link-commands-rig.ts'
import { done, refused } from '../../../test/rigs/program/tern-command.ts'
import { useRig } from '../../../test/rigs/use-rig.ts'
import { documentedFetch } from '../../../test/rigs/http/documented-fetch.ts'

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g

describe('tern link', () => {
  const rig = useRig(startLinkCommandsRig)
  const shortUrl = (code: string) => `${rig.origin}/${code}`

  test('a short URL names its link also as people copy it, and no link other than that', async () => {
    await rig.create('copied')
    const bare = shortUrl('copied').replace('http://', '')
    const whole = ['/', '+', '?utm=1', '#x', '/?utm=1#x'].map((ending) => shortUrl('copied') + ending)
    for (const word of [...whole, bare, `${bare.replace('localhost', 'LOCALHOST')}+?a=/b`, 'copied?utm=1']) {
      const { exitCode, output } = await rig.tern(['show', word])
      expect([word, exitCode, output.includes('short code       copied\n')]).toEqual([word, 0, true])
    }
    for (const word of [
      rig.origin,
      `${rig.origin}/`,
      `${rig.origin}/qr/copied`,
      'other.example.com/copied',
    ]) {
      expect([word, (await rig.tern(['show', word])).exitCode]).toEqual([word, 1])
    }
  })

  test('a link is created with every field, and printed as its short URL or as the API answers', async () => {
    const rules = join(rig.folder.settings.DATA_DIR, 'rules.json')
    const rule = { when: { country: ['DE'] }, to: 'https://example.com/de' }
    writeFileSync(rules, JSON.stringify([rule]))
    expect(await rig.create('plain')).toEqual(done(`${shortUrl('plain')}`))
    expect(await rig.visit('plain')).toEqual([302, 'https://example.com/plain'])

    const full = [
      'create',
      'https://example.com/full',
      '--code',
      'full',
      '--alias',
      'full-1',
      '--alias',
      'full-2',
    ]
    full.push('--title', 'All', '--tag', 'One', '--tag', 'Two', '--folder', 'Here', '--notes', 'Mine')
    full.push('--external-id', 'order-7', '--starts-at', '2199-01-01T00:00:00Z')
    full.push('--expires-at', '2199-02-01T00:00:00+01:00', '--max-clicks', '5', '--redirect-status', '307')
    full.push('--fallback-url', 'https://example.com/over', '--forward-query', '--archived', '--disabled')
    full.push('--forward-path')
    full.push('--social-title', 'Card', '--social-description', 'Text', '--rules', rules, '--password-stdin')
    full.push('--social-image-url', 'https://example.com/a.png', '--domain', `localhost:${rig.folder.port}`)
    full.push(
      ...['source', 'medium', 'campaign', 'term', 'content'].flatMap((name) => [`--utm-${name}`, name]),
    )
    const { exitCode, output } = await rig.tern([...full, '--json'], { input: 'open sesame\n' })
    expect(exitCode).toBe(0)
    const query =
      'utm_source=source&utm_medium=medium&utm_campaign=campaign&utm_term=term&utm_content=content'
    const { message, data } = JSON.parse(output)
    expect(message).toBe('Link created.')
    expect(data).toMatchObject({
      short_code: 'full',
      aliases: ['full-1', 'full-2'],
      title: 'All',
      tags: ['One', 'Two'],
      folder: 'Here',
      notes: 'Mine',
      external_id: 'order-7',
      original_url: `https://example.com/full?${query}`,
      starts_at: '2199-01-01T00:00:00.000000Z',
      expires_at: '2199-01-31T23:00:00.000000Z',
      max_clicks: 5,
      redirect_status: 307,
      fallback_url: 'https://example.com/over',
      forward_query: true,
      forward_path: true,
      archived: true,
      is_active: false,
      social_title: 'Card',
      social_description: 'Text',
      rules: [rule],
      has_password: true,
      social_image_url: 'https://example.com/a.png',
      domain: `localhost:${rig.folder.port}`,
    })
    // The line break at the end is not part of it.
    await rig.tern(['edit', 'full', '--clear', 'starts-at'])
    await rig.tern(['enable', 'full'])
    const body = new URLSearchParams({ password: 'open sesame' })
    const headers = { Origin: rig.origin, Host: `localhost:${rig.folder.port}` }
    const opened = await documentedFetch(shortUrl('full'), { method: 'POST', body, headers })
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/full'])

    const again = ['create', 'https://example.com/plain', '--reuse-existing']
    expect(await rig.tern(again)).toEqual(done(`${shortUrl('plain')}`))
  })

  test('an edit changes what options name, empties what --clear names, and leaves the rest', async () => {
    await rig.create('edited', '--title', 'Old', '--folder', 'Here', '--tag', 'One', '--max-clicks', '5')
    const words = ['edit', 'edited', '--destination', 'https://example.com/new', '--tag', 'Two']
    words.push('--utm-source', 'news', '--clear', 'folder', '--clear', 'max-clicks')
    expect(await rig.tern(words)).toEqual(done('Link updated.'))
    const { data } = await rig.json('show', 'edited')
    expect(data).toMatchObject({
      original_url: 'https://example.com/new?utm_source=news',
      title: 'Old',
      tags: ['Two'],
      folder: null,
      max_clicks: null,
    })
    // The server that redirects knows at once.
    expect(await rig.visit('edited')).toEqual([302, 'https://example.com/new?utm_source=news'])

    expect(await rig.tern(['edit', 'edited', '--replace-query'])).toEqual(done('Link updated.'))
    expect((await rig.json('show', 'edited')).data.forward_query).toBe('replace')
    expect(await rig.visit('edited?utm_source=mail')).toEqual([
      302,
      'https://example.com/new?utm_source=mail',
    ])
    expect(await rig.tern(['edit', 'edited', '--forward-query'])).toEqual(done('Link updated.'))
    expect((await rig.json('show', 'edited')).data.forward_query).toBe(true)
    expect(await rig.tern(['edit', 'edited', '--replace-query', '--clear', 'forward-query'])).toEqual(
      refused('Use either --forward-query or --clear forward-query.'),
    )
    expect(await rig.tern(['edit', 'edited', '--clear', 'forward-query'])).toEqual(done('Link updated.'))

    const named = [shortUrl('edited'), '--clear', 'utm-source', '--clear', 'title', '--clear', 'tag']
    expect(await rig.tern(['edit', ...named])).toEqual(done('Link updated.'))
    expect((await rig.json('show', 'edited')).data).toMatchObject({
      original_url: 'https://example.com/new',
      title: '',
      tags: [],
    })
    expect(await rig.tern(['edit', 'edited'])).toEqual(
      refused('Nothing is to be changed. tern link edit --help lists what can be.'),
    )
    expect(await rig.tern(['edit', 'edited', '--title', 'A', '--clear', 'title'])).toEqual(
      refused('Use either --title or --clear title.'),
    )
    const { exitCode, complaints } = await rig.tern(['edit', 'edited', '--clear', 'code'])
    expect([exitCode, complaints]).toEqual([
      1,
      expect.stringMatching(
        /^--clear code is not possible\. It takes title, .*, password, .*, utm-content\.\n$/,
      ),
    ])
    expect((await rig.json('show', 'edited')).data.title).toBe('')
  })

  test('links are listed, filtered, searched and paged', async () => {
    for (const code of ['first', 'second', 'third'])
      await rig.create(code, '--folder', 'Listed', '--title', code)
    await rig.tern(['disable', 'second'])
    const listed = async (...options: string[]) =>
      (await rig.json('list', '--folder', 'Listed', ...options)).data.map((link: any) => link.short_code)
    expect(await listed()).toEqual(['third', 'second', 'first'])
    expect(await listed('--status', 'disabled', '--status', 'expired')).toEqual(['second'])
    expect(await listed('--sort', 'title', '--order', 'desc')).toEqual(['third', 'second', 'first'])
    expect(await listed('--search', 'example third')).toEqual(['third'])
    expect(await listed('--needs-attention')).toEqual([])

    const { output } = await rig.tern(['list', '--folder', 'listed', '--per-page', '2'])
    const [head, row, , last] = output.split('\n')
    expect(head!.split(/ {2,}/)).toEqual(['short URL', 'destination', 'title', 'status', 'clicks', 'created'])
    expect(row!.replace(TIME, 'TIME').split(/ {2,}/)).toEqual([
      shortUrl('third'),
      'https://example.com/third',
      'third',
      'active',
      '0',
      'TIME',
    ])
    expect(last).toBe('Page 1 of 2, 3 in all. Choose another one with --page.')
    expect(await rig.tern(['list', '--search', 'nowhere'])).toEqual(done('There are no such links.'))
    expect(await rig.tern(['list', '--per-page', 'x', '--sort', 'x'])).toEqual(
      refused(
        '--per-page must be an integer of at least 1.',
        '--sort must be one of created_at, clicks, title, last_clicked_at.',
      ),
    )
  })

  test('a link is disabled and enabled, and its history says what was changed with which key', async () => {
    await rig.create('moved', '--disabled')
    expect(await rig.visit('moved')).toEqual([404, null])
    for (let time = 0; time < 2; time++)
      expect(await rig.tern(['enable', 'moved'])).toEqual(done('moved is enabled.'))
    expect(await rig.visit('moved')).toEqual([302, 'https://example.com/moved'])
    await rig.tern(['edit', 'moved', '--destination', 'https://example.com/there', '--max-clicks', '9'])
    expect(await rig.tern(['disable', 'moved'])).toEqual(done('moved is disabled.'))
    expect(await rig.visit('moved')).toEqual([404, null])

    const { output } = await rig.tern(['history', 'moved'])
    const by = 'TIME  operator@example.com  Key    '
    const columns = 'version  changed               by                    API key  field         from'
    expect(output.replaceAll(TIME, 'TIME').split('\n')).toEqual([
      `${columns}                       to`,
      `4        ${by}  is active     yes                        no`,
      `3        ${by}  original url  https://example.com/moved  https://example.com/there`,
      expect.stringMatching(/^ {62}max clicks +9$/),
      `2        ${by}  is active     no                         yes`,
      '1        TIME  operator@example.com  Key',
      '',
    ])
    expect(await rig.tern(['restore-version', 'moved', '2'])).toEqual(done('Version restored.'))
    expect(await rig.visit('moved')).toEqual([302, 'https://example.com/moved'])
    expect(await rig.tern(['restore-version', 'moved', 'x/../2'])).toEqual(refused('Version not found.'))
    expect((await rig.json('history', 'moved', '--per-page', '2', '--page', '2')).meta).toMatchObject({
      current_page: 2,
      total: 5,
    })
  })

  test('what a visitor would meet is explained, and nothing is counted', async () => {
    const rules = join(rig.folder.settings.DATA_DIR, 'germans.json')
    writeFileSync(rules, '[{"when":{"country":["DE"]},"to":"https://example.com/de"}]')
    await rig.create('ruled', '--rules', rules, '--expires-at', '2199-01-01T00:00:00Z')
    const { output } = await rig.tern(['explain', 'ruled', '--country', 'de'])
    expect(output).toStartWith(
      [
        'outcome    redirect',
        'url        https://example.com/de',
        'rule       1',
        'variant    rule 1',
        'counts as  click',
        '',
        'result  reason ',
      ].join('\n'),
    )
    const { steps } = (await rig.json('explain', 'ruled', '--country', 'de')).data
    for (const { text } of steps) expect(output).toContain(text)
    const late = ['--at', '2199-01-02T00:00:00Z', '--language', 'de', '--user-agent', 'x', '--query', 'a=b']
    expect((await rig.json('explain', 'ruled', ...late)).data.outcome).toBe('expired')
    const bot = await rig.tern(['explain', 'ruled', '--user-agent', 'Googlebot/2.1'])
    expect(bot.output).toContain('\ncounts as  bot_click\n')
    await rig.tern(['edit', 'ruled', '--forward-path'])
    const withPath = await rig.json('explain', 'ruled', '--country', 'de', '--path', '/page/2')
    expect(withPath.data.url).toBe('https://example.com/de/page/2')
    expect((await rig.json('show', 'ruled')).data.click_count).toBe(0)
  })

  test('a deleted link is in the trash, is restored, and is deleted for good', async () => {
    await rig.create('gone', '--title', 'Gone')
    expect(await rig.tern(['delete', 'gone'])).toEqual(done('Link deleted.'))
    expect(await rig.visit('gone')).toEqual([404, null])
    expect(await rig.tern(['show', 'gone'])).toEqual(refused('Link not found.'))
    const { output } = await rig.tern(['trash'])
    expect(output.replaceAll(TIME, 'TIME').split('\n')).toEqual([
      expect.stringMatching(/^short URL +destination +title +clicks +deleted$/),
      `${shortUrl('gone')}  https://example.com/gone  Gone   0       TIME`,
      '',
    ])
    expect(await rig.tern(['restore', shortUrl('gone')])).toEqual(done('Link restored.'))
    expect(await rig.visit('gone')).toEqual([302, 'https://example.com/gone'])
    expect(await rig.tern(['delete', 'gone', '--from-trash'])).toEqual(refused('Link not found.'))
    await rig.tern(['delete', 'gone'])
    expect(await rig.tern(['delete', 'gone', '--from-trash'])).toEqual(done('Link deleted for good.'))
    expect(await rig.tern(['trash'])).toEqual(done('The trash is empty.'))
    expect(await rig.tern(['restore', 'gone'])).toEqual(refused('Link not found.'))
  })
})
