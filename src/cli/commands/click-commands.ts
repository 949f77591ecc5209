import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../errors/refusal.ts'
import type { Call, Command } from '../command.ts'
import { downloadFromApi, SERVER_OPTIONS, serverOf } from '../links/call-api.ts'
import { beginExport, EXPORT_FORMATS, refuseOtherClicks } from '../links/export-folder.ts'

const exportCommand: Command = {
  name: 'click export',
  words: ['<folder>'],
  summary: 'Save the clicks of days that are over, a file for each. Goes on where it stopped.',
  options: {
    from: { type: 'string', value: 'day', meaning: 'The first day: 2026-01-01.' },
    to: { type: 'string', value: 'day', meaning: 'The last day; default: yesterday.' },
    format: { type: 'string', value: 'format', meaning: 'csv, ndjson or parquet; default: csv.' },
    timezone: { type: 'string', value: 'zone', meaning: 'In which days begin: Europe/Berlin; default: UTC.' },
    filter: {
      type: 'string',
      multiple: true,
      value: 'name=value',
      meaning: 'What the clicks have, as in the API: country=DE.',
    },
    ...SERVER_OPTIONS,
  },
  async run(call, { readConfig, print, clock }) {
    const server = serverOf(call, readConfig())
    const query = {
      timezone: call.text('timezone') ?? 'UTC',
      format: formatOf(call),
      ...(await filtersOf(call)),
    }
    const days = daysOf(call, yesterdayIn(query.timezone, clock.nowUs()))
    const folder = call.words[0]!
    const clicks = { timezone: query.timezone, filters: call.texts('filter') }
    await refuseOtherClicks(folder, clicks)
    for (const day of days) {
      const path = join(folder, `${day}.${query.format}`)
      if (existsSync(path)) continue
      await downloadFromApi(
        server,
        { method: 'GET', path: '/api/analytics/export', query: { ...query, from: day, to: day } },
        { path, begin: () => beginExport(folder, clicks) },
      )
      print(path)
    }
  },
}

function formatOf(call: Call): string {
  const format = call.text('format') ?? 'csv'
  if (EXPORT_FORMATS.includes(format)) return format
  throw new Refusal('command_failed', '--format must be csv, ndjson or parquet.')
}

async function filtersOf(call: Call): Promise<Record<string, string[]>> {
  const texts = call.texts('filter')
  if (texts.length === 0) return {}
  const filters: Record<string, string[]> = {}
  const names = await filterNames()
  for (const filter of texts) {
    const at = filter.indexOf('=')
    if (at < 1) throw new Refusal('command_failed', '--filter must be a name and a value: country=DE.')
    const name = filter.slice(0, at)
    // The API ignores parameters that it does not know, so all clicks would be saved.
    if (!names.includes(name))
      throw new Refusal('command_failed', `There is no filter ${name}. There are ${names.join(', ')}.`)
    ;(filters[name] ??= []).push(filter.slice(at + 1))
  }
  return filters
}

/** What they are made of is loaded only where filters are used. */
async function filterNames(): Promise<string[]> {
  const { reportParameters } = await import('../../http/endpoints/analytics-view.ts')
  const { rangeParameters } = await import('../../analytics/range-parameters.ts')
  return Object.keys(reportParameters.shape).filter((name) => !(name in rangeParameters.shape))
}

function yesterdayIn(timezone: string, nowUs: number): Temporal.PlainDate {
  try {
    const now = Temporal.Instant.fromEpochMilliseconds(Math.floor(nowUs / 1_000))
    return now.toZonedDateTimeISO(timezone).toPlainDate().subtract({ days: 1 })
  } catch {
    throw new Refusal('command_failed', '--timezone must be the name of a time zone: Europe/Berlin.')
  }
}

/** A day that goes on would be a file that lacks clicks, and would never be read again. */
function daysOf(call: Call, yesterday: Temporal.PlainDate): Iterable<string> {
  const first = dayIn(call, 'from')
  const last = dayIn(call, 'to') ?? yesterday
  if (first === undefined) throw new Refusal('command_failed', 'The first day is needed: --from 2026-01-01.')
  if (Temporal.PlainDate.compare(last, yesterday) > 0)
    throw new Refusal('command_failed', `--to must be a day that is over: ${yesterday} at last.`)
  if (Temporal.PlainDate.compare(first, last) > 0)
    throw new Refusal('command_failed', '--from must not be after the last day.')
  return daysFrom(first, last)
}

function* daysFrom(first: Temporal.PlainDate, last: Temporal.PlainDate): Generator<string> {
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
    yield day.toString()
}

function dayIn(call: Call, option: 'from' | 'to'): Temporal.PlainDate | undefined {
  const text = call.text(option)
  if (text === undefined) return undefined
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    throw new Refusal('command_failed', `--${option} must be a day: 2026-01-01.`)
  }
}

export const clickCommands: Command[] = [exportCommand]
