import { expect, test } from 'bun:test'
import { type Command, helpOf } from './command.ts'

const run = async () => {}
const bare: Command = { name: 'config', summary: 'Print it.', run }

test('the help of a command says how to call it and what each option means', () => {
  expect(helpOf(full)).toBe(
    [
      'Make a key.',
      '',
      'Usage: tern key create <email> [options]',
      '',
      'Options:',
      '  --name <text>      What for.',
      '  --scope <scope> …  May be given again.',
      '  --json             Print JSON.',
    ].join('\n'),
  )
  expect(helpOf(bare)).toBe('Print it.\n\nUsage: tern config')
})

const full: Command = {
  name: 'key create',
  words: ['<email>'],
  summary: 'Make a key.',
  options: {
    name: { type: 'string', value: 'text', meaning: 'What for.' },
    scope: { type: 'string', value: 'scope', multiple: true, meaning: 'May be given again.' },
    json: { type: 'boolean', meaning: 'Print JSON.' },
  },
  run,
}
