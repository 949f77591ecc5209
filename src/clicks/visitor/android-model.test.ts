import { expect, test } from 'bun:test'
import { splitModel } from './android-model.ts'

const ENGINE = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36'

test.each([
  ['Mozilla/5.0 (Linux; Android 10; M bot 60)', 'Android 10; M bot 60', 'Mozilla/5.0 (Linux; )'],
  [
    'Mozilla/5.0 (Linux; Android 9; Twist (2018) Build/X; wv)',
    'Android 9; Twist (2018) Build/X; wv',
    'Mozilla/5.0 (Linux; )',
  ],
  // Without parentheses.
  ['Mozilla/5.0 Linux; Android 8.1.0; BQ-7036L', 'Android 8.1.0; BQ-7036L ', 'Mozilla/5.0 Linux; '],
  ['UCWEB/2.0 (MIDP-2.0; U; Adr 2.3.4; ru; MiPad)', 'Adr 2.3.4; ru; MiPad', 'UCWEB/2.0 (MIDP-2.0; U; )'],
])('the model of %s is cut out', (platform, model, rest) => {
  expect(splitModel(`${platform} ${ENGINE}`)).toEqual({
    model,
    rest: `${rest}${model.endsWith(' ') ? '' : ' '}${ENGINE}`,
  })
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'],
  // A crawler names itself where others have the model.
  ['Mozilla/5.0 (Linux; Android 6.0; compatible; ExampleBot/1.0)'],
  ['Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; DuplexWeb-Google/1.0)'],
])('%s has none', (platform) => {
  expect(splitModel(`${platform} ${ENGINE}`)).toEqual({ model: '', rest: `${platform} ${ENGINE}` })
})

test.each([['Android'], ['Android ((('], ['(Android 9; X'], [')Android)'], ['']])(
  '%j is no error',
  (text) => {
    const { model, rest } = splitModel(text)
    expect(model.length + rest.length).toBe(text.length)
  },
)
