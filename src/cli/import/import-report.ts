import type { ImportedLinkView } from '../../http/endpoints/import-endpoint.ts'
import { IMPORT_RESULTS, type ImportResult, noResults } from '../../import/import-fields.ts'
import { refusalSentences } from '../../import/refusal-sentences.ts'
import { NO_SUCH_DOMAIN } from '../../links/place-links.ts'
import { line } from '../links/api-texts.ts'

/** What became of a link. `at`: where it is in its file, or among the links of an API. `lost`: what cannot come along. */
export type ReportedLink = { at: string; code: string; lost: string[] } & Pick<
  ImportedLinkView,
  'result' | 'differences' | 'errors'
>

type Lines = { isJson: boolean; isDryRun: boolean; print(text: string): void }

const VALUE_LENGTH_MAX = 80
const CONFLICTS: Partial<Record<ImportResult, string>> = {
  skipped: 'differs, and is left as it is here',
  kept: 'differs, and is kept',
  replaced: 'differs, and is replaced',
}

const MISSING_DOMAINS =
  'Some links are on domains that your workspace does not have. Add those first, or put all links on one of yours with --domain.'

/** Printed as it is known, so that a report of any length takes no memory. */
export class ImportReport {
  readonly #lines: Lines
  readonly #counts = noResults()
  #lacksDomains = false
  #isWithoutLinks = true

  constructor(lines: Lines) {
    this.#lines = lines
  }

  file(path: string, description: readonly string[]): void {
    const { isJson, print } = this.#lines
    this.#isWithoutLinks = true
    if (!isJson)
      for (const text of [`${path}: ${description[0]}`, ...description.slice(1)]) print(indented(text))
  }

  /** A line for what is refused, in conflict or lost. What is created or equal as a whole is only counted, except in JSON. */
  link(path: string, link: ReportedLink): void {
    const { isJson, print } = this.#lines
    this.#counts[link.result]++
    this.#isWithoutLinks = false
    this.#lacksDomains ||= link.errors.domain?.includes(NO_SUCH_DOMAIN) === true
    if (isJson) return print(JSON.stringify({ file: path, ...link }))
    const sentences = sentencesOf(link)
    if (sentences.length > 0)
      print(line(`${link.at}: ${shortened(link.code) || 'the link'} ${sentences.join(' ')}`))
  }

  /** All links of the file were reported. */
  fileEnd(path: string): void {
    const { isJson, print } = this.#lines
    if (!isJson && this.#isWithoutLinks) print(line(`${path} has no links.`))
  }

  /** Nothing is known of any link yet. */
  get isEmpty(): boolean {
    return IMPORT_RESULTS.every((result) => this.#counts[result] === 0)
  }

  /** `importId`: what it is undone by; undefined if nothing was sent, or in a dry run. */
  end(importId: number | undefined): void {
    const { isJson, isDryRun, print } = this.#lines
    if (isJson) return print(JSON.stringify({ dry_run: isDryRun, import_id: importId, ...this.#counts }))
    const counts = IMPORT_RESULTS.flatMap((result) =>
      this.#counts[result] === 0 ? [] : [`${this.#counts[result]} ${result}`],
    )
    const what = counts.length === 0 ? 'No links.' : `${counts.join(', ')}.`
    print(isDryRun ? `Dry run, nothing was stored: ${what}` : what)
    if (this.#lacksDomains) print(MISSING_DOMAINS)
    if (importId !== undefined && this.#counts.created > 0)
      print(`Undo it with "tern import undo ${importId}", within 30 days.`)
  }
}

function sentencesOf({ result, differences, errors, lost }: ReportedLink): string[] {
  if (result === 'refused') return ['is refused.', ...Object.values(refusalSentences(errors)).flat()]
  if (result === 'equal') return []
  const conflict = CONFLICTS[result]
  const changes = Object.entries(differences).map(
    ([field, { here, imported }]) => `${field} ${valueText(here)} here, ${valueText(imported)} in the import`,
  )
  if (conflict !== undefined) return [`${conflict}: ${changes.join('; ')}.`, ...lost]
  return lost.length === 0 ? [] : ['comes along in part.', ...lost]
}

const valueText = (value: unknown): string => shortened(JSON.stringify(value))

const shortened = (text: string): string =>
  text.length <= VALUE_LENGTH_MAX ? text : `${text.slice(0, VALUE_LENGTH_MAX - 1)}…`

/** With its indentation. */
const indented = (text: string): string =>
  text.replace(/^( *)(.*)$/s, (_, indent, rest) => indent + line(rest))
