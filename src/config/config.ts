import type { SettingKind } from './setting-kinds.ts'
import { type Above, type Setting, SETTINGS } from './settings.ts'
import { unknownSettings } from './unknown-settings.ts'

export type Environment = Record<string, string | undefined>

type ValueOf<Row> = Row extends { kind: SettingKind<infer Value> } ? Value : never

/** Plain data, so that it can be sent to threads. */
export type Config = { readonly [Field in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Field]> }

/** Every error in the settings, one sentence each, so that an operator can fix them all at once. */
export class ConfigErrors extends Error {
  readonly errors: string[]

  constructor(errors: string[]) {
    super(['Invalid settings:', ...errors].join('\n- '))
    this.name = 'ConfigErrors'
    this.errors = errors
  }
}

const ROWS = Object.entries<Setting>(SETTINGS)
const NAMES = ROWS.map(([, setting]) => setting.name)

/** The only place where the environment is read. */
export const readConfigFromEnvironment = (): Config => readConfig(process.env)

export function readConfig(environment: Environment): Config {
  const errors: string[] = []
  const values: Record<string, unknown> = {}
  for (const [field, setting] of ROWS) {
    const text = textOf(environment, setting)
    const value = text === undefined ? undefined : setting.kind.read(text)
    if (text !== undefined && value === undefined) errors.push(valueFault(setting, text))
    // After an error the default is used, so that the settings that depend on it are checked too.
    values[field] = value ?? defaultValue(setting, values as Above)
  }
  errors.push(...combinationErrors(values as Config, environment), ...unknownSettings(environment, NAMES))
  if (errors.length > 0) throw new ConfigErrors(errors)
  return Object.freeze(values as Config)
}

function textOf(environment: Environment, setting: Setting): string | undefined {
  return environment[setting.name]?.trim() || undefined
}

function defaultValue(setting: Setting, above: Above): unknown {
  if (setting.default === undefined) return undefined
  return setting.kind.read(
    typeof setting.default === 'string' ? setting.default : setting.default.from(above),
  )
}

function valueFault(setting: Setting, text: string): string {
  const quote = setting.secret ? '' : ` is ${JSON.stringify(text.slice(0, 200))} but`
  const hint = setting.kind.hint?.(text)
  return `${setting.name}${quote} must be ${setting.kind.allowed}.${hint === undefined ? '' : ` ${hint}`}`
}

function combinationErrors(config: Config, environment: Environment): string[] {
  const errors: string[] = []
  if (config.port === 0 && textOf(environment, SETTINGS.baseUrl) === undefined) {
    errors.push('BASE_URL must be set when PORT is 0, because the port of short URLs is not known yet.')
  }
  if (config.databaseReadUrl !== undefined && config.databaseUrl === undefined) {
    errors.push('DATABASE_URL must be set when DATABASE_READ_URL is set.')
  }
  if (config.clickHouseUrl !== undefined && config.databaseUrl === undefined) {
    errors.push('DATABASE_URL must be set when CLICKHOUSE_URL is set.')
  }
  if (config.oidcOnly && config.oidcProviders.length === 0) {
    errors.push('OIDC_PROVIDERS must be set when OIDC_ONLY is set.')
  }
  return errors
}

/** A setting as documented. `default` is in words, null if there is none. */
export type SettingNote = { name: string; allowed: string; default: string | null; meaning: string }

export const SETTING_NOTES: SettingNote[] = ROWS.map(([, { name, kind, default: preset, meaning }]) => ({
  name,
  allowed: kind.allowed,
  default: (typeof preset === 'object' ? preset.words : preset) || null,
  meaning,
}))

/** With its current value; for a secret, only whether there is one. */
export type ConfigRow = SettingNote & { value: string; isSet: boolean }

export function configRows(config: Config, environment: Environment = process.env): ConfigRow[] {
  return ROWS.map(([field, setting], index) => {
    const text = textOf(environment, setting)
    return {
      ...SETTING_NOTES[index]!,
      value: shown(setting, text, config[field as keyof Config]),
      isSet: text !== undefined,
    }
  })
}

function shown(setting: Setting, text: string | undefined, value: unknown): string {
  if (setting.secret) return text === undefined ? '' : '•••• (set)'
  // Texts are shown in normal form, other values as the operator has written them: `72h`.
  return typeof value === 'string' ? value : (text ?? String(setting.default ?? ''))
}
