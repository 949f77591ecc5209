import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { ConfigErrors, configRows, readConfig, SETTING_NOTES } from './config.ts'
import type { Config, Environment } from './config.ts'

test('an empty environment gives the defaults', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '0.0.0.0',
    baseUrl: 'http://localhost:3000',
    unknownHosts: 'serve',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    clickHouseUrl: undefined,
    trustedProxies: '',
    geoipDb: undefined,
    logLevel: 'info',
    allowPrivateDestinations: false,
    destinationSchemes: ['http', 'https'],
    fetchDestinations: true,
    journalSync: 'os',
    journalRetentionMs: 259_200_000,
    journalSegmentBytes: 16_777_216,
    rawClickDays: 30,
    trashDays: 30,
    linksMax: {},
    auditDays: 400,
    publicStats: true,
    publicStatsTtlMs: 5000,
    linkCacheSize: 100_000,
    mailFrom: 'Tern <tern@localhost>',
    metricsToken: undefined,
    apiKey: undefined,
    sourceKey: undefined,
    nodeName: expect.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/),
    securityContact: 'mailto:security@localhost',
    stopDelayMs: 0,
    signUp: 'open',
    oidcProviders: [],
    oidcOnly: false,
    smtpUrl: undefined,
  })
})

test('every setting can be set', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '::',
    BASE_URL: 'https://S.example/',
    DATA_DIR: '/var/lib/tern',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    GEOIP_DB: import.meta.path,
    LOG_LEVEL: 'warn',
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    DESTINATION_SCHEMES: 'HTTPS, mailto,tel,com.example.app,tel',
    FETCH_DESTINATIONS: '0',
    JOURNAL_SYNC: 'disk',
    JOURNAL_RETENTION: '7d',
    JOURNAL_SEGMENT_BYTES: '1MiB',
    RAW_CLICK_DAYS: '0',
    TRASH_DAYS: '7',
    AUDIT_DAYS: '90',
    PUBLIC_STATS: '0',
    PUBLIC_STATS_TTL: '0',
    LINK_CACHE_SIZE: '10',
    SIGNUP: 'invite',
    OIDC_PROVIDERS:
      '[{"id":"google","name":"Google","issuer":"https://accounts.google.com","client_id":"tern"}]',
    OIDC_ONLY: '1',
    SMTP_URL: 'smtps://u:p@mail.s.example',
    MAIL_FROM: 'Links <links@s.example>',
    METRICS_TOKEN: 'sixteen-letters.',
    TERN_API_KEY: 'tern_sixteen-letters',
    TERN_SOURCE_KEY: 'key!of#another',
    NODE_NAME: 'eu-1',
    SECURITY_CONTACT: 'https://s.example/report',
    STOP_DELAY: '5s',
    UNKNOWN_HOSTS: 'refuse',
    LINKS_MAX: 'free=1000',
  })
  expect(config).toEqual({
    port: 8080,
    host: '::',
    baseUrl: 'https://s.example',
    unknownHosts: 'refuse',
    dataDir: '/var/lib/tern',
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    clickHouseUrl: undefined,
    trustedProxies: '10.0.0.0/8, ::1',
    geoipDb: import.meta.path,
    logLevel: 'warn',
    allowPrivateDestinations: true,
    destinationSchemes: ['https', 'mailto', 'tel', 'com.example.app'],
    fetchDestinations: false,
    journalSync: 'disk',
    journalRetentionMs: 604_800_000,
    journalSegmentBytes: 1_048_576,
    rawClickDays: 0,
    trashDays: 7,
    linksMax: { free: 1000 },
    auditDays: 90,
    publicStats: false,
    publicStatsTtlMs: 0,
    linkCacheSize: 10,
    signUp: 'invite',
    oidcProviders: [
      {
        id: 'google',
        name: 'Google',
        issuer: 'https://accounts.google.com',
        clientId: 'tern',
        clientSecret: undefined,
        scopes: [],
        emailDomains: [],
        emailVerifiedClaim: 'email_verified',
        groupsClaim: 'groups',
        groupRoles: [],
      },
    ],
    oidcOnly: true,
    smtpUrl: 'smtps://u:p@mail.s.example',
    mailFrom: 'Links <links@s.example>',
    metricsToken: 'sixteen-letters.',
    apiKey: 'tern_sixteen-letters',
    sourceKey: 'key!of#another',
    nodeName: 'eu-1',
    securityContact: 'https://s.example/report',
    stopDelayMs: 5000,
  })
})

test('an empty or blank variable counts as not set', () => {
  expect(readConfig({ PORT: '', BASE_URL: '  ', DATABASE_URL: '', GEOIP_DB: '' })).toEqual(readConfig({}))
})

test('spaces around a value do not matter', () => {
  expect(readConfig({ PORT: ' 4000\n' }).port).toBe(4000)
})

test('the base address follows the port, and the security contact follows the base address', () => {
  expect(readConfig({ PORT: '4000' }).baseUrl).toBe('http://localhost:4000')
  expect(readConfig({ BASE_URL: 'https://s.example:8443' }).securityContact).toBe('mailto:security@s.example')
})

test('all errors are reported at once, each with its setting, its value and what is allowed', () => {
  const environment = { PORT: '70000', LOG_LEVEL: 'loud', DATA_DRI: '/var/lib/tern', TERN_HOST: '::' }
  expect(faultsOf(environment)).toEqual([
    'PORT is "70000" but must be a whole number from 0 to 65535.',
    'LOG_LEVEL is "loud" but must be one of debug, info, warn, error, silent.',
    'DATA_DRI is not a setting: did you mean DATA_DIR?',
    'TERN_HOST is not a setting: did you mean HOST?',
  ])
})

test('the message of the error carries every fault', () => {
  expect(() => readConfig({ PORT: 'x', HOST: 'a b' })).toThrow(
    'Invalid settings:\n' +
      '- PORT is "x" but must be a whole number from 0 to 65535.\n' +
      '- HOST is "a b" but must be an IP address or a host name to listen on.',
  )
})

test('what is no address of PostgreSQL is refused, and its password is not repeated', () => {
  expect(faultsOf({ DATABASE_URL: 'mysql://tern:hunter2@db/tern' })).toEqual([
    'DATABASE_URL must be a URL such as postgres://user:password@db.example.com:5432/tern.',
  ])
})

test('a journal kept for less than an hour is refused with the reason', () => {
  expect(faultsOf({ JOURNAL_RETENTION: '1h' })).toEqual([])
  expect(faultsOf({ JOURNAL_RETENTION: '59m' })).toEqual([
    'JOURNAL_RETENTION is "59m" but must be a duration such as 30m, 72h or 3d, from 1h to 365d ' +
      '(the journal brings a restored backup up to date).',
  ])
})

test('any free port needs a base address of its own', () => {
  expect(faultsOf({ PORT: '0', BASE_URL: 'https://s.example' })).toEqual([])
  expect(faultsOf({ PORT: '0' })).toEqual([
    'BASE_URL must be set when PORT is 0, because the port of short URLs is not known yet.',
  ])
})

test('the config cannot be changed, and can be handed to another thread', () => {
  const config = readConfig({})
  expect(Object.isFrozen(config)).toBe(true)
  expect(structuredClone(config)).toEqual(config)
})

test('the types of the fields are those of the values', () => {
  const config = readConfig({})
  const typed: Pick<Config, 'port' | 'logLevel' | 'geoipDb' | 'publicStats'> = config
  const level: 'debug' | 'info' | 'warn' | 'error' | 'silent' = typed.logLevel
  const geoipDb: string | undefined = typed.geoipDb
  // @ts-expect-error A port is a number.
  const port: string = config.port
  expect([level, geoipDb, port] as unknown[]).toEqual(['info', undefined, 3000])
})

test('the process reads its own environment, and lets the rest of it be', async () => {
  const code = "console.log((await import('./config.ts')).readConfigFromEnvironment().port)"
  const child = Bun.spawn([process.execPath, '-e', code], {
    cwd: import.meta.dir,
    env: { PATH: '/bin', HOME: '/', NODE_ENV: 'production', PORT: '4001' },
  })
  expect(await child.stdout.text()).toBe('4001\n')
})

test('a row shows the value in force, whether it is set, and the default', () => {
  expect(rowOf('PORT', {})).toMatchObject({ value: '3000', isSet: false, default: '3000' })
  expect(rowOf('PORT', { PORT: '4000' })).toMatchObject({ value: '4000', isSet: true, default: '3000' })
  expect(rowOf('BASE_URL', { PORT: '4000' })).toMatchObject({
    value: 'http://localhost:4000',
    isSet: false,
    default: 'http://localhost:PORT',
  })
  expect(rowOf('GEOIP_DB', {})).toMatchObject({ value: '', isSet: false, default: null })
})

test('a row of a secret says that it is set, and not what it is', () => {
  const environment = { DATABASE_URL: 'postgres://tern:hunter2@db/tern' }
  const row = configRows(readConfig({}), environment).find(({ name }) => name === 'DATABASE_URL')
  expect(row).toMatchObject({ value: '•••• (set)', isSet: true })
})

test('a metrics token that is too short is refused without being repeated', () => {
  expect(faultsOf({ METRICS_TOKEN: 'hunter2' })).toEqual([
    'METRICS_TOKEN must be from 16 to 256 letters, digits and -._~+/=.',
  ])
})

test('every setting has one sentence that says what it means', () => {
  for (const { meaning } of SETTING_NOTES) expect(meaning).toMatch(/^[A-Z].*\.$/)
  expect(new Set(SETTING_NOTES.map(({ name }) => name)).size).toBe(SETTING_NOTES.length)
})

test('ClickHouse is used beside PostgreSQL only', () => {
  const environment = { DATABASE_URL: 'postgres://db/tern', CLICKHOUSE_URL: 'http://clicks:8123/tern' }
  expect(readConfig(environment).clickHouseUrl).toBe('http://clicks:8123/tern')
  expect(faultsOf({ ...environment, DATABASE_URL: '' })).toEqual([
    'DATABASE_URL must be set when CLICKHOUSE_URL is set.',
  ])
})

function faultsOf(environment: Environment): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigErrors) return error.errors
    throw error
  }
}

const rowOf = (name: string, environment: Environment) =>
  configRows(readConfig(environment), environment).find((row) => row.name === name)
