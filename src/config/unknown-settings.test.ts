import { expect, test } from 'bun:test'
import { unknownSettings } from './unknown-settings.ts'

test('our own names are not unknown', () => {
  expect(faultsOf(...NAMES)).toEqual([])
})

test('one slip in a name is noticed: changed, added, left out, swapped', () => {
  for (const slip of ['DATA_DIT', 'DATA_DIRR', 'DATADIR', 'DATA_DRI', 'ATA_DIR']) {
    expect(faultsOf(slip)).toEqual([`${slip} is not a setting: did you mean DATA_DIR?`])
  }
})

test('two slips are noticed in long names only', () => {
  expect(faultsOf('JORNAL_RETENTON')).toEqual([
    'JORNAL_RETENTON is not a setting: did you mean JOURNAL_RETENTION?',
  ])
  expect(faultsOf('JORNAL_RETNTON', 'DATADRI')).toEqual([])
})

test('the singular of a plural is noticed', () => {
  expect(faultsOf('TRUSTED_PROXY')).toEqual(['TRUSTED_PROXY is not a setting: did you mean TRUSTED_PROXIES?'])
  expect(faultsOf('HTTP_PROXY', 'NO_PROXY', 'ALL_PROXY')).toEqual([])
})

test('whatever begins with TERN_ was meant for us', () => {
  expect(faultsOf('TERN_PORT', 'TERN_BASEURL', 'TERN_COLOUR')).toEqual([
    'TERN_PORT is not a setting: did you mean PORT?',
    'TERN_BASEURL is not a setting: did you mean BASE_URL?',
    'TERN_COLOUR is not a setting.',
  ])
})

test('variables of the system and of other programs are let be', () => {
  const ordinary =
    'PATH HOME HOSTNAME HOSTTYPE PWD OLDPWD SHELL SHLVL USER LOGNAME LANG TERM TZ TMPDIR EDITOR SORT PROT POST HOSTS ' +
    'PORTS NODE_ENV NODE_HOME NODE_PATH NODE_OPTIONS XDG_DATA_DIRS XDG_DATA_HOME DATABASE_NAME BASE_DIR LOG_FILE _'
  expect(faultsOf(...ordinary.split(' '))).toEqual([])
})

test('the links that Kubernetes makes for a service called tern are let be', () => {
  const links = {
    TERN_SERVICE_HOST: '10.0.0.11',
    TERN_SERVICE_PORT: '80',
    TERN_SERVICE_PORT_HTTP: '80',
    TERN_PORT: 'tcp://10.0.0.11:80',
    TERN_PORT_80_TCP: 'tcp://10.0.0.11:80',
    TERN_PORT_80_TCP_PROTO: 'tcp',
    TERN_PORT_80_TCP_PORT: '80',
    TERN_PORT_80_TCP_ADDR: '10.0.0.11',
    TERN_DB_SERVICE_HOST: '10.0.0.12',
    TERN_DB_PORT: 'tcp://10.0.0.12:5432',
  }
  expect(unknownSettings(links, NAMES)).toEqual([])
})

test('a very long name is judged at once', () => {
  expect(faultsOf('J'.repeat(100_000), 'TERN_' + 'J'.repeat(17))).toHaveLength(1)
})

const NAMES = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'BASE_URL',
  'NODE_NAME',
  'LOG_LEVEL',
  'JOURNAL_RETENTION',
  'TRUSTED_PROXIES',
]

/** The errors of an environment in which these names are set. */
const faultsOf = (...names: string[]) =>
  unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])), NAMES)
