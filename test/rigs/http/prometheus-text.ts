type MetricType = 'counter' | 'gauge' | 'histogram'
export type Sample = { name: string; labels: Record<string, string>; value: number }
export type Family = { name: string; type: MetricType | undefined; help: string; samples: Sample[] }

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="([^"\\\n]*)"$/
const VALUE = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/

/**
 * Reads Prometheus' text format, version 0.0.4, and takes offence at whatever is not exactly in order: each metric has
 * one HELP, one TYPE and its samples, together; each sample is there once; a histogram's buckets rise to its count.
 */
export function parsePrometheusText(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.')
  const families = new Map<string, Family>()
  let family: Family | undefined
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') family = begin(families, name, rest)
    else if (kind === 'TYPE') typeOf(family, name, rest)
    else addSample(family, readSample(line))
  }
  for (const each of families.values()) checkWhole(each)
  return families
}

function begin(families: Map<string, Family>, name: string, help: string): Family {
  if (families.has(name)) throw new Error(`${name} comes twice.`)
  const family: Family = { name, help, type: undefined, samples: [] }
  families.set(name, family)
  return family
}

function typeOf(family: Family | undefined, name: string, type: string): void {
  if (family?.name !== name || family.type !== undefined) throw new Error(`A TYPE out of place: ${name}.`)
  if (!/^(counter|gauge|histogram)$/.test(type)) throw new Error(`${name} is a ${type}.`)
  family.type = type as MetricType
}

function readSample(line: string): Sample {
  const [, name, labelText = '', valueText = ''] = SAMPLE.exec(line) ?? []
  if (name === undefined || !VALUE.test(valueText)) throw new Error(`No sample: ${JSON.stringify(line)}.`)
  const labels: Record<string, string> = {}
  for (const part of labelText === '' ? [] : labelText.split(',')) {
    const [, label, value] = LABEL.exec(part) ?? []
    if (label === undefined || Object.hasOwn(labels, label)) throw new Error(`No label: ${part} in ${line}.`)
    labels[label] = value!
  }
  const value = valueText.endsWith('Inf') ? Number(`${valueText}inity`) : Number(valueText)
  return { name, labels, value }
}

function addSample(family: Family | undefined, sample: Sample): void {
  const suffixes = family?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
  if (family === undefined || !suffixes.some((suffix) => sample.name === family.name + suffix))
    throw new Error(`${sample.name} stands under ${family?.name}.`)
  if (family.samples.some((other) => keyOf(other) === keyOf(sample)))
    throw new Error(`${keyOf(sample)} comes twice.`)
  family.samples.push(sample)
}

const keyOf = ({ name, labels }: Sample) => name + JSON.stringify(Object.entries(labels).sort())

function checkWhole({ name, type, samples }: Family): void {
  if (type === undefined) throw new Error(`${name} has no type.`)
  if (samples.length === 0) throw new Error(`${name} has no sample.`)
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0)))
    throw new Error(`${name} is below 0, or no number.`)
  if (type === 'histogram') checkHistogram(name, samples)
}

function checkHistogram(name: string, samples: Sample[]): void {
  const withoutBound = ({ labels: { le: _, ...others } }: Sample) => JSON.stringify(others)
  for (const series of Map.groupBy(samples, withoutBound).values()) {
    const buckets = series.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number(labels.le === '+Inf' ? 'Infinity' : labels.le))
    const counts = buckets.map(({ value }) => value)
    const count = series.find((sample) => sample.name === `${name}_count`)?.value
    const hasSum = series.some((sample) => sample.name === `${name}_sum`)
    const rises = (numbers: number[]) => numbers.every((number, i) => i === 0 || number >= numbers[i - 1]!)
    const isWhole = bounds.at(-1) === Infinity && counts.at(-1) === count && hasSum
    if (!isWhole || !rises(bounds) || !rises(counts)) throw new Error(`${name} is no histogram.`)
  }
}

/** The value of one sample; labels all named. */
export function valueOf(
  families: Map<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
  const sample = family?.samples.find((each) => keyOf(each) === keyOf({ name, labels, value: 0 }))
  if (sample === undefined) throw new Error(`There is no ${name} ${JSON.stringify(labels)}.`)
  return sample.value
}
