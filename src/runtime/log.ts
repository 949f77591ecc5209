const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const
export type LogLevel = keyof typeof LEVELS

/** Never a key, a token or an IP address. */
export type LogFields = Record<string, string | number | boolean | null | undefined>

export type Log = {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

const VALUE_CHARS_MAX = 2000

/** A key, or most of one, anywhere in a text. */
const KEY = /(tern(?:_|%5f))[a-z0-9]{16,}/gi
const KEY_PARAMETER = /\bapi_key=[^&\s"]*/gi
/** Who knows the end of such a URL can open a shared page, end emails, or exclude a browser. */
const SECRET_PATH = /(\/(?:share|unsubscribe|own-traffic)\/)[^/?\s"]{16,}/gi
/** Characters that a terminal may interpret and JSON does not escape: DEL, C1 controls, line and direction marks. */
const INTERPRETED = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g

/** Values may contain text of clients: redacts anything that looks like a key or the end of a secret URL, and limits the length. */
function safe(value: LogFields[string]): LogFields[string] {
  if (typeof value !== 'string') return value
  return value
    .replaceAll(KEY, '$1[redacted]')
    .replaceAll(KEY_PARAMETER, 'api_key=[redacted]')
    .replaceAll(SECRET_PATH, '$1[redacted]')
    .slice(0, VALUE_CHARS_MAX)
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** When what reads the output has ended, or its disk is full, lines are lost. Visitors must not notice. */
function writeToStdout(line: string): void {
  const { stdout } = process
  // The main thread hears of it in an event, other threads by an exception.
  if (stdout.listenerCount('error') === 0) stdout.on('error', () => {})
  try {
    stdout.write(line)
  } catch {}
}

/** One JSON object per line on stdout. Control characters are escaped, so a text cannot forge a line. */
export function jsonLog(level: LogLevel, thread: string, write = writeToStdout): Log {
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS[name] < LEVELS[level]) return
      const line: LogFields = { time: new Date().toISOString(), level: name, thread, message: safe(message) }
      for (const [field, value] of Object.entries(fields)) line[field] = safe(value)
      write(JSON.stringify(line).replaceAll(INTERPRETED, escaped) + '\n')
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Counts errors, even those below the log level. */
export function countErrors(log: Log, errors: { add(): void }): Log {
  return {
    ...log,
    error(message, fields) {
      errors.add()
      log.error(message, fields)
    },
  }
}

/** The message and stack of anything thrown, with its causes. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) }
  const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : undefined
  return { error: `${error.name}: ${error.message}`, stack: error.stack, cause }
}
