import { expect, test } from 'bun:test'
import type { z } from 'zod'
import { layOut } from './draw-design.ts'
import { qrStyle } from '../links/qr-style/qr-style.ts'
import { judgeQr } from './qr-verdict.ts'

const URL = 'https://nls.example/winter'

async function judge(style: z.input<typeof qrStyle>) {
  return judgeQr(URL, await layOut(URL, qrStyle.parse(style)))
}

test('a plain code is read, with the highest contrast', async () => {
  expect(await judge({})).toEqual({
    is_read: true,
    contrast: 21,
    is_light_on_dark: false,
    smallest_print_mm: 15,
    darkened: { color: '#000000', corner_color: '#000000' },
  })
})

test('a code without a background is judged as on white paper', async () => {
  expect(await judge({ background: null })).toMatchObject({ is_read: true, contrast: 21 })
})

test('colors are darkened to 4.5 to 1 and no further, and keep their hue', async () => {
  const background = '#fdf1ea'
  const pale = await judge({ color: '#ff9d86', corner_color: '#0f3d56', background })
  expect(pale.contrast).toBeCloseTo(1.82, 2)
  expect(pale.darkened!.corner_color).toBe('#0f3d56')
  const { color } = pale.darkened!
  const dark = await judge({ color, corner_color: color, background })
  expect(dark.contrast).toBeGreaterThanOrEqual(4.5)
  expect(dark.contrast).toBeLessThan(4.6)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
  expect(green / red).toBeCloseTo(0x9d / 0xff, 1)
  expect(blue / red).toBeCloseTo(0x86 / 0xff, 1)
})

test('light on dark is said to be so, and cannot be darkened', async () => {
  const light = { color: '#ffffff', corner_color: '#ffffff', background: '#222222' }
  expect(await judge(light)).toMatchObject({ is_light_on_dark: true, darkened: null })
})

test('a code in the color of its background is not read', async () => {
  const same = { color: '#777777', corner_color: '#777777', background: '#777777' }
  expect(await judge(same)).toMatchObject({ is_read: false, contrast: 1 })
})

test('the smallest print grows with the quiet zone', async () => {
  expect((await judge({ quiet_zone: 16 })).smallest_print_mm).toBe(25)
})
