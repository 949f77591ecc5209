import { expect, test } from 'bun:test'
import { splitModel } from './android-model.ts'
import { deviceOf, SYSTEM_NAMES, systemOf } from './device.ts'

function read(userAgent: string) {
  const parts = splitModel(userAgent)
  const os = systemOf(parts)
  return [os, deviceOf(parts, os)]
}

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Windows', 'desktop'],
  ['Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 650) Mobile', 'Windows Phone', 'mobile'],
  ['Mozilla/5.0 (Mobile; Nokia_8110_4G; Android; rv:48.0) Gecko/48.0 KAIOS/2.5.1', 'KaiOS', 'mobile'],
  ['Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-AN00) Mobile Safari', 'HarmonyOS', 'mobile'],
  ['Mozilla/5.0 (Linux; Android 6.0; MiPad 3) Safari', 'Android', 'tablet'],
  ['Mozilla/5.0 (Linux; Android 10; Mi Note 10 Lite;iPhone:) Mobile Safari', 'Android', 'mobile'],
  ['Mozilla/5.0 (iPad; CPU OS 5_0) Mobile Safari#TCL/tclwebkit1.0.2', 'Android', 'other'],
  ['Mozilla/5.0 (PlayStation 5/8.20) AppleWebKit', 'PlayStation 5', 'other'],
  ['Mozilla/5.0 (Windows NT 10.0; Xbox; Xbox One) Edge', 'Windows', 'other'],
  ['Mozilla/5.0 (X11; Linux x86_64; Quest 3) VR Safari', 'Linux', 'other'],
  ['Mozilla/5.0 (X11; Linux armv7l; rv:128.0) Gecko/20100101', 'Linux', 'desktop'],
  ['Mozilla/5.0 (Linux armv7l) Chrome/84 OMI/4.21', 'Linux', 'other'],
  ['Mozilla/5.0 (X11; OpenBSD amd64) Gecko', '', 'desktop'],
  ['Podcasts (iPhone13mini)', 'iOS', 'mobile'],
  ['MyApp/1.0', '', 'other'],
])('%s', (userAgent, os, device) => {
  expect(read(userAgent)).toEqual([os, device])
})

test.each([
  ['X96 Max', 'other'],
  ['55LEX-9000', 'other'],
  ['AFTSSS', 'other'],
  ['MiTV-MSSP1', 'other'],
  ['LG-H961N', 'mobile'],
  ['TECNO KM6', 'mobile'],
  ['SM-X115', 'tablet'],
  ['Lenovo TB-8506X', 'tablet'],
])('the model %s with a browser of phones is %s', (model, device) => {
  expect(read(`Mozilla/5.0 (Linux; Android 9; ${model}) Chrome/108 Mobile Safari/537.36`)).toEqual([
    'Android',
    device,
  ])
})

test('a system without a name has none in the list', () => {
  expect(SYSTEM_NAMES.has('')).toBe(false)
  expect(SYSTEM_NAMES.has('Linux')).toBe(true)
})
