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

/** A line that somebody else's text may be part of: whatever looks like a key is blanked, lengths are capped. */
function safe(value: LogFields[string]): LogFields[string] {
  if (typeof value !== 'string') return value
  return value
    .slice(0, VALUE_CHARS_MAX)
    .replaceAll(/\btern_[A-Za-z0-9]+/g, 'tern_[redacted]')
    .replaceAll(/\bapi_key=[^&\s"]*/gi, 'api_key=[redacted]')
}

/** One JSON object a line on stdout; JSON.stringify escapes control characters, so nobody can forge a line. */
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
      write(JSON.stringify(line) + '\n')
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** The message and stack of anything thrown, its causes included. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) }
  const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : undefined
  return { error: `${error.name}: ${error.message}`, stack: error.stack, cause }
}
