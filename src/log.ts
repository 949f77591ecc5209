const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const
export type LogLevel = keyof typeof LEVELS
export const LOG_LEVELS = Object.keys(LEVELS) as LogLevel[]

/** Facts beside the sentence. Never a key, a token or an IP address. */
export type LogFields = Record<string, string | number | boolean | null | undefined>

export type Log = {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

const VALUE_CHARS_MAX = 2000

/** A key, or a good part of one, wherever it stands and however it is spelled. */
const KEY = /(tern(?:_|%5f))[a-z0-9]{16,}/gi
const KEY_PARAMETER = /\bapi_key=[^&\s"]*/gi
/** What a terminal or a viewer may obey and JSON leaves as it is: DEL, C1 controls, marks of line and direction. */
const OBEYED = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g

/** A value that somebody else's text may be part of: whatever looks like a key is blanked, then the length is capped. */
function safe(value: LogFields[string]): LogFields[string] {
  if (typeof value !== 'string') return value
  return value
    .replaceAll(KEY, '$1[redacted]')
    .replaceAll(KEY_PARAMETER, 'api_key=[redacted]')
    .slice(0, VALUE_CHARS_MAX)
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** One JSON object a line on stdout; control characters are escaped, so nobody can forge a line. */
export function jsonLog(
  level: LogLevel,
  thread: string,
  write = (line: string) => void process.stdout.write(line),
): Log {
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS[name] < LEVELS[level]) return
      const line: LogFields = { time: new Date().toISOString(), level: name, thread, message: safe(message) }
      for (const [field, value] of Object.entries(fields)) line[field] = safe(value)
      write(JSON.stringify(line).replaceAll(OBEYED, escaped) + '\n')
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** The same log, with its errors counted, whatever the level from which lines are written. */
export function countErrors(log: Log, errors: { add(): void }): Log {
  return {
    ...log,
    error(message, fields) {
      errors.add()
      log.error(message, fields)
    },
  }
}

/** The message and stack of anything thrown, its causes included. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) }
  const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : undefined
  return { error: `${error.name}: ${error.message}`, stack: error.stack, cause }
}
