import { afterEach, beforeEach, expect, test } from 'bun:test'
import { qrStyle } from '../../links/qr-style/qr-style.ts'
import { ComputeChannel } from './compute-channel.ts'

let compute: ComputeChannel
beforeEach(() => (compute = new ComputeChannel()))
afterEach(() => compute.close())
const picture = { shortUrl: 'https://nls.example/winter', design: qrStyle.parse({}), size: 256 }

test('requests that are made together each get their own result', async () => {
  const [first, svg, second, png] = await Promise.all([
    compute.run('readPage', pageOf('<title>Wintér</title>')),
    compute.run('drawQr', { ...picture, format: 'svg' }),
    compute.run('readPage', pageOf('<title>Summer</title>')),
    compute.run('drawQr', { ...picture, format: 'png' }),
  ])
  expect([first.title, second.title]).toEqual(['Wintér', 'Summer'])
  expect(svg).toStartWith('<svg ')
  expect(Buffer.from(png as Uint8Array).toString('latin1', 1, 4)).toBe('PNG')
})

test('a preview says whether the code can be read', async () => {
  expect(await compute.run('previewQr', picture)).toMatchObject({
    svg: expect.stringContaining('width="256"'),
    verdict: { is_read: true, contrast: 21 },
  })
})

test('what is invalid is refused by its field, and a bug fails its own task only', async () => {
  const logo = `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`
  const design = { ...picture.design, logo }
  await expect(compute.run('previewQr', { ...picture, design })).rejects.toMatchObject({
    code: 'validation_failed',
    fields: { logo: ['The logo cannot be read. Save it as PNG again.'] },
  })
  await expect(compute.run('nothing' as 'readPage', pageOf(''))).rejects.toThrow('not a function')
  expect(await compute.run('readPage', pageOf('<title>After</title>'))).toMatchObject({ title: 'After' })
})

test('this thread goes on while a large picture is drawn', async () => {
  const design = qrStyle.parse({ modules: 'dots', corners: 'round' })
  let turns = 0
  let isDrawn = false
  const drawn = compute
    .run('drawQr', { ...picture, design, format: 'png', size: 1024 })
    .finally(() => (isDrawn = true))
  for (; !isDrawn; turns++) await new Promise(setImmediate)
  expect(await drawn).toBeInstanceOf(Uint8Array)
  expect(turns).toBeGreaterThan(20)
})

test('tasks fail when it is closed, and the next one starts another thread', async () => {
  const open = compute.run('readPage', pageOf('<title>Late</title>'))
  const closing = compute.close()
  await expect(open).rejects.toThrow('The service is stopping.')
  await closing
  expect(await compute.run('readPage', pageOf('<title>New</title>'))).toMatchObject({ title: 'New' })
})

const pageOf = (html: string) => ({
  bytes: new TextEncoder().encode(html),
  contentType: 'text/html; charset=utf-8',
  url: 'https://shop.example/',
})
