import { expect, test } from 'bun:test'
import { startLinkCommandsRig } from '../../../test/rigs/service/link-commands-rig.ts'
import { useRig } from '../../../test/rigs/use-rig.ts'

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g

const rig = useRig(startLinkCommandsRig)
const shortUrl = (code: string) => `${rig.origin}/${code}`

test('a link is shown with the fields that are set, each on one line that the terminal only prints', async () => {
  await rig.create(
    'shown',
    '--title',
    'Red \u009b31m',
    '--notes',
    'First\nsecond',
    '--tag',
    'One',
    '--tag',
    'Two',
  )
  const { exitCode, output } = await rig.tern(['show', 'shown'])
  expect(exitCode).toBe(0)
  const rows = output.trimEnd().split('\n')
  expect(rows.map((row) => row.replace(TIME, 'TIME'))).toEqual([
    expect.stringMatching(/^id {15}\d+$/),
    'short code       shown',
    `domain           localhost:${rig.folder.port}`,
    `short url        ${shortUrl('shown')}`,
    'original url     https://example.com/shown',
    'title            Red  31m',
    'click count      0',
    `qr code url      ${shortUrl('qr/shown')}`,
    'is active        yes',
    'created at       TIME',
    'status           active',
    'tags             One, Two',
    'redirect status  302',
    'notes            First second',
  ])
})

test('what is too long for a table is cut there, and whole where the link is shown', async () => {
  const destination = `https://example.com/${'long-'.repeat(20)}`
  await rig.tern(['create', destination, '--code', 'long'])
  const cut = `${destination.slice(0, 59)}…`
  const { output } = await rig.tern(['list', '--search', 'long'])
  expect(output).toContain(`${shortUrl('long')}  ${cut}  `)
  expect(output).not.toContain(destination)
  expect((await rig.tern(['show', 'long'])).output).toContain(`original url     ${destination}\n`)
})

test('a page past the end says how many there are', async () => {
  const { output } = await rig.tern(['list', '--search', 'long', '--page', '7'])
  expect(output.split('\n').slice(1)).toEqual(['Page 7 of 1, 1 in all. Choose another one with --page.', ''])
})
