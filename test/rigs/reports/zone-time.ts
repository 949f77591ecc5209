/** Quarters of an hour since 1970 UTC. */
const QUARTER_MS = 900_000
const QUARTER_MINUTES = 15
const DAY_MINUTES = 1_440
const QUARTERS_OF_DAY = 96
const QUARTERS_OF_HOUR = 4

/** The local time of a zone, by its offset from UTC in each quarter of an hour. */
export class ZoneTime {
  readonly #timezone: string
  /** Of the first quarter of each UTC day. */
  readonly #ofDays = new Map<number, number>()
  readonly #ofQuarters = new Map<number, number>()

  constructor(timezone: string) {
    this.#timezone = timezone
  }

  /** In whole days since 1970. */
  dayOf(quarter: number): number {
    return Math.floor(this.minutesAt(quarter) / DAY_MINUTES)
  }

  /** Of the local clock. Where it passes twice over it, the first one; where it jumps over it, as much later. */
  quarterAt(localMinutes: number): number {
    const about = Math.floor(localMinutes / QUARTER_MINUTES)
    const offsets = [about - QUARTERS_OF_DAY, about + QUARTERS_OF_DAY].map((quarter) =>
      this.#offsetAt(quarter),
    )
    const [first, second] = offsets.map((offset) => (localMinutes - offset) / QUARTER_MINUTES) as [
      number,
      number,
    ]
    const isAt = (quarter: number) => this.minutesAt(quarter) === localMinutes
    return isAt(second) && !isAt(first) ? second : first
  }

  /** The first quarter of a local day, which need not be a midnight. */
  startOfDay(day: number): number {
    let quarter = (day - 1) * QUARTERS_OF_DAY
    while (this.dayOf(quarter) < day) quarter++
    return quarter
  }

  /** An hour begins where the clock says so, and lasts an hour; after a change by half an hour, until the clock says so again. */
  startOfHour(quarter: number): number {
    let start = quarter
    while (this.#minuteOf(start) !== 0) start--
    while (this.endOfHour(start) <= quarter) start = this.endOfHour(start)
    return start
  }

  /** Of the hour with this start. */
  endOfHour(start: number): number {
    let end = start + (this.#minuteOf(start) === 0 ? QUARTERS_OF_HOUR : 1)
    if (this.#minuteOf(start) !== 0) while (this.#minuteOf(end) !== 0) end++
    return end
  }

  /** `2026-04-20T14:00+02:00` */
  labelOfHour(quarter: number): string {
    const start = this.startOfHour(quarter)
    const local = new Date(this.minutesAt(start) * 60_000).toISOString().slice(0, 16)
    const minutes = this.#offsetAt(start)
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
    return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
  }

  #minuteOf(quarter: number): number {
    const minutes = this.minutesAt(quarter)
    return minutes - Math.floor(minutes / 60) * 60
  }

  /** What the local clock says, in minutes since 1970. */
  minutesAt(quarter: number): number {
    return quarter * QUARTER_MINUTES + this.#offsetAt(quarter)
  }

  /** Looked up for each quarter of the days on which it changes only. */
  #offsetAt(quarter: number): number {
    const day = Math.floor(quarter / QUARTERS_OF_DAY)
    const ofDay = (number: number) =>
      this.#ofDays.getOrInsertComputed(number, () => this.#lookUp(number * QUARTERS_OF_DAY))
    const minutes = ofDay(day)
    if (minutes === ofDay(day + 1)) return minutes
    return this.#ofQuarters.getOrInsertComputed(quarter, () => this.#lookUp(quarter))
  }

  #lookUp(quarter: number): number {
    const moment = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS)
    return moment.toZonedDateTimeISO(this.#timezone).offsetNanoseconds / 60e9
  }
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** `2026-04-20` of whole days since 1970. */
export const isoDate = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
