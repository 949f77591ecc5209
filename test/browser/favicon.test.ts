import { describe, expect, test } from 'bun:test'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'

/** Of 255, on average over all pixels and channels: two programs draw edges a little differently. */
const DIFFERENCE_MAX = 4

describe.skipIf(hasNoChromium)('the icon', () => {
  const rig = useBrowserRig()

  test('favicon.ico is drawn from favicon.svg', async () => {
    const page = await rig.open('/')
    const difference = await page.evaluate(async () => {
      const pixelsOf = async (path: string): Promise<Uint8ClampedArray> => {
        const image = new Image()
        image.src = path
        await image.decode()
        const context = Object.assign(document.createElement('canvas'), { width: 32, height: 32 }).getContext(
          '2d',
        )!
        context.drawImage(image, 0, 0, 32, 32)
        return context.getImageData(0, 0, 32, 32).data
      }
      const [ico, svg] = await Promise.all([pixelsOf('/favicon.ico'), pixelsOf('/favicon.svg')])
      return ico.reduce((sum, value, at) => sum + Math.abs(value - svg[at]!), 0) / ico.length
    })
    expect(difference).toBeLessThan(DIFFERENCE_MAX)
  })
})
