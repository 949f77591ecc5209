import { expect, test } from 'bun:test'
import { qrStyle } from '../../links/qr-style/qr-style.ts'
import { ComputeChannel } from './compute-channel.ts'
import { QrDrawer } from './qr-drawer.ts'

test('twenty drawings of a workspace wait, more are refused, and other workspaces have places of their own', async () => {
  const compute = new ComputeChannel()
  const drawer = new QrDrawer(compute)
  const picture = { shortUrl: 'https://nls.example/a', design: qrStyle.parse({}), size: 64 }
  const draw = (workspaceId: number) => drawer.draw(workspaceId, { ...picture, format: 'svg' })
  const accepted = Array.from({ length: 21 }, () => draw(1))
  await expect(draw(1)).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Too many QR codes are being drawn. Try again in a few seconds.',
    retryAfterSeconds: 5,
  })
  accepted.push(draw(2))
  for (const svg of await Promise.all(accepted)) expect(svg).toStartWith('<svg ')
  await compute.close()
})
