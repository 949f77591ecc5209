import type { Refusal } from '../errors/refusal.ts'
import type { Option } from './command.ts'

/** The sentences of a refusal. Those about fields call them by the options of the command: "--on-conflict must be" for "The on conflict must be". */
export function optionSentences({ fields, message }: Refusal, options: Record<string, Option>): string[] {
  const sentences = Object.entries(fields).flatMap(([field, ofField]) => {
    const option = field.replaceAll(/[_ ]/g, '-')
    return ofField.map((sentence) =>
      withOthers(Object.hasOwn(options, option) ? withOwn(sentence, option) : sentence, options),
    )
  })
  return sentences.length > 0 ? sentences : [message]
}

const wordsOf = (option: string): string => option.replaceAll('-', ' ')

const withOwn = (sentence: string, option: string): string =>
  sentence.replace(new RegExp(`^The ${wordsOf(option)}(?: field)?\\b`), `--${option}`)

/** A single word may mean anything else. */
function withOthers(sentence: string, options: Record<string, Option>): string {
  const names = Object.keys(options).filter((option) => option.includes('-'))
  return names.reduce(
    (text, option) => text.replace(new RegExp(` ${wordsOf(option)}(?=[ .])`), ` --${option}`),
    sentence,
  )
}
